import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { addCovered, readCovered } from '../coverage/covered.mjs';
import { compareWithList, entriesOf } from '../coverage/explained.mjs';
import { measureFile, summarize } from '../coverage/measure.mjs';
import { shapeOf } from '../coverage/sourceShape.mjs';
import { useTemporaryFolder, write } from './temporaryFolder.mjs';

const SOURCE = `import { other } from './other';

export interface Shape {
  readonly sides: number;
}

export class Box {
  #sides = 4;
  get sides(): number {
    return this.#sides;
  }
  grow(by: number): void {
    const add = (more: number): number => more + by;
    this.#sides = add(this.#sides);
  }
}

export const nothing = (): void => {};
export function start(): void {
  other(() => 1);
}
`;

const UNNAMED = `start(() => 1).catch(() => 2, (() => 3)());
const view = (text = () => 4) => html\`<a @click=\${() => 5} .value=\${on ? () => 6 : [() => 7, () => 8]}></a>\`;
class Late {
  #now;
  begin = () => { this.#now ??= () => 9; start(() => 10); start(() => 11); };
}`;

describe('The shape of a source file', () => {
  const { lines, functions } = shapeOf('box.ts', SOURCE);

  it('Functions have the names of their classes, members and variables, and those without code do not count', () =>
    assert.deepEqual(
      functions.map(({ name }) => name),
      ['Box.get sides', 'Box.grow', 'Box.grow.add', 'start', 'start.other()'],
    ));

  it('Functions without a name are called by where they stand, whatever their lines are', () => {
    const names = (text) => shapeOf('late.ts', text).functions.map(({ name }) => name);
    assert.deepEqual(names(UNNAMED).sort(), [
      'Late.begin',
      'Late.begin.#now',
      'Late.begin.start()',
      'Late.begin.start() 2',
      'catch()',
      'function',
      'start()',
      'view',
      'view..value',
      'view.@click',
      'view.function',
      'view.function 2',
      'view.text',
    ]);
    assert.deepEqual(names(`\n\n${UNNAMED}`), names(UNNAMED));
  });

  it('Lines count if a statement begins in them, and types and imports do not', () => assert.deepEqual(lines, [8, 10, 13, 14, 18, 20]));
});

describe('The coverage of a source file', () => {
  const at = (line, text) => [line - 1, new Set([SOURCE.split('\n')[line - 1].indexOf(text)])];

  it('A function has run if something within it has, and not because one within it has', () => {
    const covered = new Map([at(13, 'more + by'), at(20, 'other')]);
    const { uncovered, functions, lines, coveredLines } = measureFile('src/a/box.ts', SOURCE, covered);
    assert.deepEqual(uncovered, ['Box.get sides', 'Box.grow', 'start.other()']);
    assert.deepEqual([functions, lines, coveredLines], [5, 6, 2]);
  });

  it('A file that nothing loads is not covered at all', () => {
    const { coveredLines, uncovered, functions } = measureFile('src/a/box.ts', SOURCE, undefined);
    assert.deepEqual([coveredLines, uncovered.length], [0, functions]);
  });

  it('The summary counts by room, and all rooms together in the last line', () => {
    const file = (name, coveredLines) => ({
      file: name,
      lines: 10,
      coveredLines,
      functions: 2,
      uncovered: coveredLines === 10 ? [] : ['a'],
    });
    const rooms = summarize([file('src/review/rules/a.ts', 10), file('src/review/b.ts', 5), file('src/extension.ts', 0)]);
    assert.deepEqual(
      rooms.map(({ room, files, coveredLines, coveredFunctions }) => [room, files, coveredLines, coveredFunctions]),
      [
        ['src', 1, 0, 1],
        ['src/review', 2, 15, 3],
        ['all', 3, 15, 4],
      ],
    );
  });
});

describe('The places that have run', () => {
  const folder = useTemporaryFolder();
  const places = (covered) => [...covered].map(([file, lines]) => [file, [...lines].map(([line, columns]) => [line, ...columns])]);
  const range = (startOffset, endOffset, count) => ({ startOffset, endOffset, count });

  it('Of the ranges around a place, the innermost one decides', () => {
    const covered = new Map();
    const segment = (offset) => ({ offset, file: 'src/a.ts', line: offset, column: 0 });
    const ranges = [range(0, 100, 1), range(10, 50, 0), range(20, 30, 2)];
    addCovered(covered, [0, 15, 25, 40, 60].map(segment), [{ ranges: [ranges[2]] }, { ranges: [ranges[0], ranges[1]] }]);
    assert.deepEqual(places(covered), [
      [
        'src/a.ts',
        [
          [0, 0],
          [25, 0],
          [60, 0],
        ],
      ],
    ]);
  });

  it('What has run in one process or bundle has run, and scripts and sources of others do not count', () => {
    const script = (name) => join(folder(), 'dist', name);
    // Both lines of the script come from line 1 and line 2 of the source.
    const map = (...sources) => ({ version: 3, sources, names: [], mappings: 'AAAA;AACA' });
    for (const name of ['one.js', 'two.js', 'foreign.js']) write(script(name), 'first();\nsecond();\n');
    write(script('one.js.map'), map('../src/a.ts'));
    write(script('two.js.map'), map('../src/a.ts'));
    write(script('foreign.js.map'), map('../node_modules/b/index.ts'));
    const told = (name, ...ranges) => ({ url: pathToFileURL(script(name)).href, functions: [{ ranges }] });
    write(join(folder(), 'data', 'p1.json'), {
      result: [told('one.js', range(0, 18, 1), range(9, 18, 0)), told('foreign.js', range(0, 18, 1))],
    });
    assert.deepEqual(places(readCovered(join(folder(), 'data'), folder())), [['src/a.ts', [[0, 0]]]]);
    write(join(folder(), 'data', 'p2.json'), {
      result: [told('two.js', range(0, 18, 1), range(0, 9, 0)), { url: 'node:fs', functions: [] }],
    });
    write(join(folder(), 'data', 'killed.json'), '{"result":[');
    assert.deepEqual(places(readCovered(join(folder(), 'data'), folder())), [
      [
        'src/a.ts',
        [
          [0, 0],
          [1, 0],
        ],
      ],
    ]);
  });
});

describe('The list of what is not covered', () => {
  const files = [
    { file: 'src/a.ts', uncovered: ['Box.grow', 'Box.grow.add', 'start'] },
    { file: 'src/b.ts', uncovered: ['main'] },
  ];

  it('Functions without an entry are named, and entries of what is covered are stale', () => {
    const entries = entriesOf([
      { reason: 'one', isOptional: false, functions: { 'src/a.ts': ['Box.*'], 'src/b.ts': ['main', 'covered'] } },
      { reason: 'two', isOptional: false, functions: { 'src/gone.ts': ['main'] } },
      { reason: 'three', isOptional: true, functions: { 'src/b.ts': ['covered in some runs'] } },
    ]);
    const { unexplained, stale, explained } = compareWithList(files, entries);
    assert.deepEqual(unexplained, [{ file: 'src/a.ts', function: 'start' }]);
    assert.deepEqual(stale, [
      { file: 'src/b.ts', function: 'covered', reason: 'one', isOptional: false },
      { file: 'src/gone.ts', function: 'main', reason: 'two', isOptional: false },
    ]);
    assert.equal(explained, 3);
  });
});
