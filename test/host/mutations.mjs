import { parseSync } from 'oxc-parser';

/** What each operator becomes. */
const OTHER = new Map([
  ['===', '!=='],
  ['!==', '==='],
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['&&', '||'],
  ['||', '&&'],
  ['+', '-'],
  ['-', '+'],
  ['*', '/'],
  ['/', '*'],
]);

/**
 * One small change of a source.
 * @typedef {object} Mutation
 * @property {string} file
 * @property {number} line
 * @property {string} what `=== → !==`
 * @property {string} text the source with the change
 */

/**
 * Returns every change of one operator, and every condition without its `!`.
 * @param {string} file
 * @param {string} text
 * @returns {readonly Mutation[]}
 */
export function mutationsOf(file, text) {
  const mutations = [];
  const add = (start, end, now) => {
    const line = text.slice(0, start).split('\n').length;
    const what = `${text.slice(start, end)} → ${now === '' ? 'nothing' : now}`;
    const changed = text.slice(0, start) + now + text.slice(end);
    // `a ?? b || c` is no expression.
    if (parseSync(file, changed).errors.length === 0) mutations.push({ file, line, what, text: changed });
  };
  visit(parseSync(file, text).program);
  return mutations;

  function visit(node) {
    if (['BinaryExpression', 'LogicalExpression'].includes(node.type) && OTHER.has(node.operator)) {
      // Between the operands there are only white space, brackets and comments besides.
      const start = text.indexOf(node.operator, node.left.end);
      if (start < node.right.start) add(start, start + node.operator.length, OTHER.get(node.operator));
    }
    if (node.type === 'UnaryExpression' && node.operator === '!') add(node.start, node.start + 1, '');
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) {
        if (child !== null && typeof child === 'object' && typeof child.type === 'string') visit(child);
      }
    }
  }
}
