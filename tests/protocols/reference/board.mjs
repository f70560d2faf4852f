// Runs the reference shoe on MicroPython: node board.mjs FOLDER-OF-NODE_MODULES SHOE.PY < chunks as JSON
import { readFileSync } from "node:fs";
const [, , modules, file] = process.argv;
const { loadMicroPython } = await import(`${modules}/@micropython/micropython-webassembly-pyscript/micropython.mjs`);
const python = await loadMicroPython({ stdout: (line) => console.log(line), linebuffer: true });
python.runPython(readFileSync(file, "utf8"));
python.runPython(`
import sys
print(sys.implementation.name)
numbers = [0x5EA51DDF]
def number():
    numbers[0] += 1
    return numbers[0]
shoe = Shoe(number)
print(shoe.power_up(0).hex())
`);
for (const [at, chunk, act] of JSON.parse(readFileSync(0, "utf8"))) {
  if (act) python.runPython(act);
  // The hex() of no bytes at all is not a text on MicroPython.
  python.runPython(`out = shoe.receive(bytes.fromhex("${chunk}"), ${at}) + shoe.tick(${at})\nprint(out.hex() if out else "")`);
}
