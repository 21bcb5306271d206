import assert from 'node:assert/strict';
import { mutationsOf } from '../mutations.mjs';

describe('Mutations of a source', () => {
  it('A mutation changes one operator and nothing else, and says in which line', () => {
    const text = 'const wide: boolean = a.from < b.to && // && not here\n  !(c + 1 === d);\n';
    assert.deepEqual(
      mutationsOf('some.ts', text).map(({ line, what, text: changed }) => [line, what, changed.split('\n')[line - 1]]),
      [
        [1, '&& → ||', 'const wide: boolean = a.from < b.to || // && not here'],
        [1, '< → <=', 'const wide: boolean = a.from <= b.to && // && not here'],
        [2, '! → nothing', '  (c + 1 === d);'],
        [2, '=== → !==', '  !(c + 1 !== d);'],
        [2, '+ → -', '  !(c - 1 === d);'],
      ],
    );
  });

  it('A change that is no longer a program is no mutation', () => {
    assert.deepEqual(
      mutationsOf('some.ts', 'const both = (a ?? b) && c;\n').map(({ what }) => what),
      ['&& → ||'],
    );
    assert.deepEqual(
      mutationsOf('some.ts', 'const both = (a && b) ?? c;\n').map(({ what }) => what),
      ['&& → ||'],
    );
  });

  it('Types and texts have no mutations', () => {
    assert.deepEqual(mutationsOf('some.ts', "type Both = A & B;\nconst text = 'a < b';\n"), []);
  });
});
