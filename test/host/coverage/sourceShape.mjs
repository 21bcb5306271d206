import { parseSync } from 'oxc-parser';

/**
 * A function of a source file, without those within it.
 * @typedef {object} SourceFunction
 * @property {string} name `Class.method`, `outer › inner`; what has no name is called by its line, `line 12`
 * @property {number} line
 * @property {number} start of its body, an offset
 * @property {number} end
 */

/**
 * What can run in a source file: the same for each bundle that it is in.
 * @typedef {object} SourceShape
 * @property {readonly number[]} lines in which a statement begins, from 1
 * @property {readonly SourceFunction[]} functions
 */

/** Only types, or nothing that runs by itself: esbuild leaves no code for it. */
const NO_CODE = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ExportDefaultDeclaration',
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
  'TSDeclareFunction',
  'TSModuleDeclaration',
  'FunctionDeclaration',
  'ClassDeclaration',
  'BlockStatement',
  'EmptyStatement',
]);

/**
 * Reads the statements and functions of a TypeScript file.
 * @param {string} file its name, for the dialect
 * @param {string} text
 * @returns {SourceShape}
 */
export function shapeOf(file, text) {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0].message}`);
  const lineOf = lineFinder(text);
  const lines = new Set();
  const functions = [];
  visit(program, { names: [], key: undefined });
  return { lines: [...lines].sort((one, other) => one - other), functions };

  function visit(node, { names, key }) {
    if (node.declare === true) return;
    const { type } = node;
    const isStatement =
      (type.endsWith('Statement') || type === 'VariableDeclaration' || type === 'PropertyDefinition') && !NO_CODE.has(type);
    if (isStatement && hasCode(node)) lines.add(lineOf(node.start));
    const isFunction = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'].includes(type);
    const own = isFunction ? (node.id?.name ?? key) : type.startsWith('Class') ? (node.id?.name ?? key) : undefined;
    const inner = isFunction ? [...names, own ?? `line ${lineOf(node.start)}`] : own === undefined ? names : [...names, own];
    if (isFunction && node.body && !isEmpty(node.body)) {
      functions.push({ name: nameOf(inner), line: lineOf(node.start), start: node.body.start, end: node.body.end });
    }
    for (const [name, value] of Object.entries(node)) {
      if (name === 'parent' || name === 'typeAnnotation' || name === 'returnType' || name === 'typeParameters') continue;
      for (const child of Array.isArray(value) ? value : [value]) {
        if (child !== null && typeof child === 'object' && typeof child.type === 'string') {
          visit(child, { names: inner, key: keyOf(node, child) });
        }
      }
    }
  }

  /** A field has code only with a value. */
  function hasCode({ type, value }) {
    return type !== 'PropertyDefinition' || (value !== null && value !== undefined);
  }
}

/** `Class.method` for members, ` › ` between a function and one within it. */
function nameOf(names) {
  return names.join('.');
}

function isEmpty(body) {
  return body.type === 'BlockStatement' && body.body.length === 0;
}

/** What a function without a name of its own is called: the variable, field, property or method that it is the value of. */
function keyOf(node, child) {
  switch (node.type) {
    case 'VariableDeclarator':
      return node.init === child ? node.id.name : undefined;
    case 'PropertyDefinition':
    case 'MethodDefinition':
    case 'Property':
      return node.value === child && node.computed !== true ? memberName(node) : undefined;
    default:
      return undefined;
  }
}

function memberName({ key, kind }) {
  const name = key.type === 'PrivateIdentifier' ? `#${key.name}` : (key.name ?? String(key.value));
  return kind === 'get' || kind === 'set' ? `${kind} ${name}` : name;
}

function lineFinder(text) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
