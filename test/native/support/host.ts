import { createWasmLaneFactory } from '../../../native/lane/index.ts';
import { patience, testArena } from './arena.ts';
import { matmulModule, OP, slotModule } from './assemble.ts';

/** A host that opens a lane, tells its process id, and leaves it waiting (`idle`) or in an endless slot (`busy`). */
const arena = await testArena();
const modules = [slotModule(matmulModule(OP.forever))];
const lane = await createWasmLaneFactory({}, { arena }).open({ slotIndex: 0, modules }, patience());
if (process.argv[2] === 'busy') lane.generate([{ prompt: [1], decode: 1 }], patience()).catch(() => {});
process.stdout.write(`${lane.facts.pid}\n`);
setInterval(() => {}, 1000);
