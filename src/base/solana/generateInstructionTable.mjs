// Writes generated/*Instructions.ts from the IDLs inside Meteora's npm packages: `npm run generate`.
// The unit test "instruction tables" fails when a file and its IDL differ.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

/** The tables: file, exported name, program, and where the IDL is. */
export const TABLES = [
  { file: 'dlmmInstructions.ts', name: 'DLMM_INSTRUCTIONS', program: 'DLMM', npmPackage: '@meteora-ag/dlmm', idlExport: 'IDL' },
  {
    file: 'dammInstructions.ts',
    name: 'DAMM_INSTRUCTIONS',
    program: 'DAMM v2',
    npmPackage: '@meteora-ag/cp-amm-sdk',
    idlExport: 'CpAmmIdl',
  },
];

/** Gives the text of a generated module. */
export function instructionTableSource({ name, program, npmPackage, idlExport }) {
  const idl = require(npmPackage)[idlExport];
  const types = Object.fromEntries(idl.types.map((type) => [type.name, type.type]));
  const layout = (type) => {
    if (typeof type === 'string') return type;
    if (type.vec) return { vec: layout(type.vec) };
    if (type.option) return { option: layout(type.option) };
    if (type.array) return { array: [layout(type.array[0]), type.array[1]] };
    const defined = types[type.defined.name];
    if (defined.kind === 'struct') {
      const fields = defined.fields ?? [];
      return { struct: fields.map((field) => [field.name, layout(field.type)]) };
    }
    return { enum: defined.variants.map((variant) => [variant.name, (variant.fields ?? []).map((field) => layout(field.type ?? field))]) };
  };
  const instructions = idl.instructions.map((instruction) => ({
    name: instruction.name,
    discriminator: Buffer.from(instruction.discriminator).toString('hex'),
    accounts: instruction.accounts.map((account) => ({
      name: account.name,
      ...(account.writable ? { writable: true } : {}),
      ...(account.signer ? { signer: true } : {}),
      ...(account.optional ? { optional: true } : {}),
    })),
    args: instruction.args.map((arg) => [arg.name, layout(arg.type)]),
  }));
  return [
    `// Generated from the IDL inside the npm package ${npmPackage} by generateInstructionTable.mjs; not edited by hand.`,
    "import type { InstructionLayout } from '../instructionCodec';",
    '',
    `/** Every instruction of the ${program} program (${idl.metadata.name} ${idl.metadata.version}). */`,
    `export const ${name}: readonly InstructionLayout[] = [`,
    ...instructions.map((instruction) => `  ${JSON.stringify(instruction)},`),
    '];',
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  TABLES.forEach((table) => writeFileSync(new URL(`./generated/${table.file}`, import.meta.url), instructionTableSource(table)));
}
