const OLDEST = [20, 19];

/**
 * Ends the process with a plain message where Node is older than this project needs. Entry scripts call it before they
 * import anything else: an old Node would otherwise fail at the import, with a message that does not help.
 */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  process.stderr.write(`Binsight needs Node ${OLDEST.join('.')} or later; this is Node ${process.versions.node}.\n`);
  process.exit(1);
}
