import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { relative, sep } from 'node:path';
import { projectRoot } from '../paths.mjs';

/** Where builds are that tests run. */
const BUILDS = ['dist/', '.vscode-test/single/'];
const isSource = (path) => path.endsWith('.ts') && !/\.d\.ts$|\/generated\//.test(path);

/**
 * How much of a file or of a room has run.
 * @typedef {object} FileCoverage
 * @property {string} file its path within the project
 * @property {{ total: number, covered: number }} lines
 * @property {{ total: number, covered: number }} functions
 */

/** @typedef {{ room: string, files: number, lines: number, functions: number }} RoomCoverage shares in percent */

/**
 * Maps what V8 counted in every process, bundle and page back to the sources, those that no test loads among them, and writes a report.
 * @param {string} folder NODE_V8_COVERAGE of the run
 * @param {string} outputDir
 * @param {{ builds?: readonly string[], rooms?: readonly string[] }} [options] what else than everything is measured, by folders within the project
 * @returns {Promise<readonly FileCoverage[]>}
 */
export async function reportCoverage(folder, outputDir, { builds = BUILDS, rooms = ['src', 'webview'] } = {}) {
  const isMeasured = (path) => isSource(path) && rooms.some((room) => path.startsWith(`${room}/`));
  // After a clone it is installed first, like esbuild below.
  const { CoverageReport } = await import('monocart-coverage-reports');
  const report = new CoverageReport({
    name: 'Binsight',
    ...{ baseDir: projectRoot, outputDir, logging: 'error', reports: ['v8'] },
    entryFilter: ({ url }) => url.startsWith('file:') && builds.some((build) => pathOf(fileURLToPath(url)).startsWith(build)),
    sourceFilter: isMeasured,
    all: { dir: [...rooms], filter: (path) => (isMeasured(pathOf(path)) ? 'js' : false), transformer: asJavaScript },
  });
  await report.addFromDir(folder);
  const { files } = await report.generate();
  // A chunk in which nothing is of the project's own has no source to be mapped to, and stays in the list itself.
  return files
    .filter(({ sourcePath }) => isMeasured(sourcePath))
    .map(({ sourcePath, summary: { lines, functions } }) => ({ file: sourcePath, lines, functions }));
}

function pathOf(file) {
  return relative(projectRoot, file).split(sep).join('/');
}

/** A file that no test loads has no build to be mapped from. */
async function asJavaScript(entry) {
  const { transform } = await import('esbuild');
  const { code, map } = await transform(entry.source, { loader: 'ts', sourcemap: 'external', sourcefile: entry.url });
  entry.source = code;
  entry.sourceMap = JSON.parse(map);
}

/**
 * Sums up by room: `src/review`, `webview/pool`.
 * @param {readonly FileCoverage[]} files
 * @returns {readonly RoomCoverage[]}
 */
export function roomsOf(files) {
  const byRoom = new Map();
  for (const one of files) {
    const parts = one.file.split('/');
    const room = parts.length > 2 ? parts.slice(0, 2).join('/') : parts[0];
    byRoom.set(room, [...(byRoom.get(room) ?? []), one]);
  }
  return [...byRoom]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([room, those]) => ({ room, files: those.length, lines: shareOf(those, 'lines'), functions: shareOf(those, 'functions') }));
}

function shareOf(files, what) {
  const sum = (of) => files.reduce((total, file) => total + file[what][of], 0);
  return sum('total') === 0 ? 100 : (100 * sum('covered')) / sum('total');
}

/** The lowest shares of lines and functions that a room may have, in percent. @returns {Record<string, { lines: number, functions: number }>} */
export function readFloors(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * Names the rooms below their floor, those without one, and floors of rooms that are gone.
 * @param {readonly RoomCoverage[]} rooms
 * @param {ReturnType<typeof readFloors>} floors
 * @returns {readonly string[]}
 */
export function belowFloors(rooms, floors) {
  const gone = Object.keys(floors).filter((name) => !rooms.some(({ room }) => room === name));
  return [
    ...rooms.flatMap(({ room, ...shares }) => {
      const floor = floors[room];
      if (floor === undefined) return [`${room} has no floor in test/coverage/floors.json`];
      return ['lines', 'functions']
        .filter((what) => shares[what] < floor[what])
        .map((what) => `${room}: ${shares[what].toFixed(1)} % of its ${what} have run, and ${floor[what]} % must`);
    }),
    ...gone.map((name) => `${name} has a floor in test/coverage/floors.json and no files`),
  ];
}
