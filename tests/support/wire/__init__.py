"""The other end of a device's wire: listeners, golden rows, images, descriptors."""
