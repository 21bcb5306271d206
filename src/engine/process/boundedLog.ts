/** Characters logged per run. */
const MOST = 4_000_000;
/** Characters logged of one message. */
const LONGEST_MESSAGE = 10_000;

/** A log that stops when it has become large, so that a repeating error can't fill the disk. @param most characters per run */
export function boundedLog(write: (text: string) => void, most = MOST): (message: string) => void {
  let written = 0;
  return (message) => {
    if (written >= most) {
      return;
    }
    const text = `${message.slice(0, LONGEST_MESSAGE)}\n`;
    write(text);
    written += text.length;
    if (written >= most) {
      write('The log is full: nothing more is logged until the next start.\n');
    }
  };
}
