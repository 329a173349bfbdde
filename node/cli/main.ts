/**
 * Entry of the command line. The version of Node is looked at before anything else is loaded, so that an operator with
 * another one reads a sentence and not a stack.
 */
const REQUIRED_MAJOR = 24;
const OPERATOR_MUST_ACT = 78;

if (Number(process.versions.node.split('.')[0]) === REQUIRED_MAJOR) {
  const { runCli } = await import('./program.ts');
  process.exitCode = await runCli(process.argv.slice(2), {
    environment: process.env,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  });
} else {
  process.stderr.write(
    `cacheon-node: Node ${REQUIRED_MAJOR} is needed, this is ${process.versions.node}; use scripts/cacheon-node\n`,
  );
  process.exitCode = OPERATOR_MUST_ACT;
}
