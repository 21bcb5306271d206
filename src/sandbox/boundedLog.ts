/** So much is logged in a run, characters. */
const MOST = 4_000_000;
/** So much of one message. */
const LONGEST_MESSAGE = 10_000;

/** A log of one line or more for each message that ends when it has become large: nothing that goes wrong again and again fills the disk. */
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
