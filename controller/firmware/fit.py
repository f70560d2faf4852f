"""Whether an image is for a device, before anything is sent. The device checks the same for itself."""

from __future__ import annotations

from controller.firmware.inventory import Item
from controller.firmware.signing import is_older
from protocols.firmware.image import Image


def misfits(image: Image, item: Item, *, anti_rollback: bool) -> list[str]:
    """What speaks against giving this image to this device, each in a clause; nothing where it fits."""
    manifest = image.manifest
    if item.device_class is None:
        return [f"a {item.kind.replace('_', ' ')} takes no firmware over its line"]
    if item.model is None or item.firmware is None:
        return ["it has never been seen"]
    if (manifest.device_class, manifest.model) != (item.device_class, item.model):
        return [f"it is a {item.model}, the image is for {manifest.model}"]
    if item.bootloader is None or item.hardware is None:
        return ["its bootloader cannot take an update"]
    if {"cloned", "swapped"}.intersection((item.trust or "").split()):
        return ["it is not the device that was enrolled"]
    found = []
    if not manifest.hardware_from <= item.hardware <= manifest.hardware_to:
        fits = f"{manifest.hardware_from} to {manifest.hardware_to}"
        found.append(f"its board is revision {item.hardware}, the image is for {fits}")
    if item.image == image.id.hex():
        found.append(f"it runs this very image ({item.firmware}) already")
    elif item.security is not None and manifest.security < item.security:
        found.append(f"it takes no security number below {item.security}, the image's is {manifest.security}")
    elif anti_rollback and (older := is_older(manifest.version, item.firmware)) is not False:
        how = "cannot be compared with" if older is None else "is older than"
        found.append(
            f"{manifest.version} {how} its {item.firmware}; anti_rollback = false under [firmware] allows going back"
        )
    return found
