// Writes generated/dlmmInstructions.ts from the IDL inside @meteora-ag/dlmm: `npm run generate`.
// The unit test "instruction table" fails when the file and the IDL differ.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const { IDL } = createRequire(import.meta.url)('@meteora-ag/dlmm');

/** Gives the text of the generated module. */
export function instructionTableSource() {
  const types = Object.fromEntries(IDL.types.map((type) => [type.name, type.type]));
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
  const instructions = IDL.instructions.map((instruction) => ({
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
    '// Generated from the IDL inside the npm package @meteora-ag/dlmm by generateInstructionTable.mjs; not edited by hand.',
    "import type { InstructionLayout } from '../instructionCodec';",
    '',
    `/** Every instruction of the DLMM program (${IDL.metadata.name} ${IDL.metadata.version}). */`,
    'export const DLMM_INSTRUCTIONS: readonly InstructionLayout[] = [',
    ...instructions.map((instruction) => `  ${JSON.stringify(instruction)},`),
    '];',
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('./generated/dlmmInstructions.ts', import.meta.url), instructionTableSource());
}
