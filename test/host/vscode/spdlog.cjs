// Stands in for the index.js of @vscode/spdlog, VS Code's log writer, in the VS Code from npm. Its native half is not built
// there (that would take a compiler), and without it no output channel of any extension shows anything: "Show Log" would be
// empty. Writes the same lines to the same files, without rotating them.
const { appendFileSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');

const LEVELS = ['trace', 'debug', 'info', 'warning', 'error', 'critical', 'off'];

class Logger {
  constructor(file) {
    this.file = file;
    this.level = LEVELS.indexOf('info');
    // Output channels write whole lines themselves; logs want the time and the level in front.
    this.isPlain = false;
    mkdirSync(dirname(file), { recursive: true });
  }

  write(level, message) {
    if (level < this.level) return;
    const time = new Date().toISOString().replace('T', ' ').replace('Z', '');
    appendFileSync(this.file, this.isPlain ? message : `${time} [${LEVELS[level]}] ${message}\n`);
  }

  trace(message) {
    this.write(0, message);
  }
  debug(message) {
    this.write(1, message);
  }
  info(message) {
    this.write(2, message);
  }
  warn(message) {
    this.write(3, message);
  }
  error(message) {
    this.write(4, message);
  }
  critical(message) {
    this.write(5, message);
  }
  getLevel() {
    return this.level;
  }
  setLevel(level) {
    this.level = level;
  }
  setPattern() {
    this.isPlain = false;
  }
  clearFormatters() {
    this.isPlain = true;
  }
  flush() {}
  drop() {}
}

exports.version = 1;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.shutdown = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = async (_name, file) => new Logger(file);
exports.createAsyncRotatingLogger = exports.createRotatingLogger;
