import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { type Address, addressFromBytes } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';

/** Programs whose binaries may not be shipped; {@link standInProgram} replaces them. */
export const STAND_IN_PROGRAMS: readonly Address[] = [PROGRAMS.dlmm, PROGRAMS.dammV2, PROGRAMS.jupiterV6];

/** A program of somebody that no client knows, for attacks. It accepts every instruction, too. */
export const STRANGERS_PROGRAM: Address = addressFromBytes(createHash('sha256').update('A program that no client knows').digest());

const FILE_HEADER_BYTES = 64;

const PROGRAM_HEADER_BYTES = 56;

const SECTION_HEADER_BYTES = 64;

const SHARED_OBJECT = 3;

const MACHINE_SBF = 247;

const SEGMENT_LOAD = 1;

const SEGMENT_READ_EXECUTE = 5;

const SECTION_PROGRAM_BITS = 1;

const SECTION_STRING_TABLE = 3;

const SECTION_ALLOCATED_EXECUTABLE = 6;

/** `mov64 r0, 0` and `exit`: the program returns success. */
const CODE = Buffer.from('b7000000000000009500000000000000', 'hex');

const SECTION_NAMES = Buffer.from('\0.text\0.shstrtab\0', 'latin1');

/**
 * Builds a program that accepts every instruction and does nothing: a minimal ELF file of 64-bit SBF code (headers, one segment, `.text`,
 * `.shstrtab`). It replaces programs whose binaries may not be shipped.
 */
export function standInProgram(): Uint8Array {
  const codeOffset = FILE_HEADER_BYTES + PROGRAM_HEADER_BYTES;
  const namesOffset = codeOffset + CODE.length;
  const sectionsOffset = aligned(namesOffset + SECTION_NAMES.length);
  return new Uint8Array(
    Buffer.concat([
      fileHeader(codeOffset, sectionsOffset),
      programHeader(codeOffset),
      CODE,
      SECTION_NAMES,
      Buffer.alloc(sectionsOffset - namesOffset - SECTION_NAMES.length),
      Buffer.alloc(SECTION_HEADER_BYTES),
      sectionHeader({
        name: SECTION_NAMES.indexOf('.text'),
        type: SECTION_PROGRAM_BITS,
        flags: SECTION_ALLOCATED_EXECUTABLE,
        offset: codeOffset,
        size: CODE.length,
      }),
      sectionHeader({
        name: SECTION_NAMES.indexOf('.shstrtab'),
        type: SECTION_STRING_TABLE,
        flags: 0,
        offset: namesOffset,
        size: SECTION_NAMES.length,
      }),
    ]),
  );
}

function fileHeader(entry: number, sectionsOffset: number): Buffer {
  const header = Buffer.alloc(FILE_HEADER_BYTES);
  Buffer.from('7f454c46020101', 'hex').copy(header); // magic, 64 bits, little endian, version 1
  header.writeUInt16LE(SHARED_OBJECT, 16);
  header.writeUInt16LE(MACHINE_SBF, 18);
  header.writeUInt32LE(1, 20); // version
  header.writeBigUInt64LE(BigInt(entry), 24);
  header.writeBigUInt64LE(BigInt(FILE_HEADER_BYTES), 32); // offset of the program header
  header.writeBigUInt64LE(BigInt(sectionsOffset), 40);
  header.writeUInt16LE(FILE_HEADER_BYTES, 52);
  header.writeUInt16LE(PROGRAM_HEADER_BYTES, 54);
  header.writeUInt16LE(1, 56); // segments
  header.writeUInt16LE(SECTION_HEADER_BYTES, 58);
  header.writeUInt16LE(3, 60); // sections: null, .text, .shstrtab
  header.writeUInt16LE(2, 62); // index of .shstrtab
  return header;
}

function programHeader(codeOffset: number): Buffer {
  const header = Buffer.alloc(PROGRAM_HEADER_BYTES);
  header.writeUInt32LE(SEGMENT_LOAD, 0);
  header.writeUInt32LE(SEGMENT_READ_EXECUTE, 4);
  for (const [place, value] of [codeOffset, codeOffset, codeOffset, CODE.length, CODE.length, 8].entries()) {
    header.writeBigUInt64LE(BigInt(value), 8 + 8 * place); // offset, two addresses, two sizes, alignment
  }
  return header;
}

function sectionHeader(section: { name: number; type: number; flags: number; offset: number; size: number }): Buffer {
  const header = Buffer.alloc(SECTION_HEADER_BYTES);
  header.writeUInt32LE(section.name, 0);
  header.writeUInt32LE(section.type, 4);
  header.writeBigUInt64LE(BigInt(section.flags), 8);
  header.writeBigUInt64LE(BigInt(section.flags === 0 ? 0 : section.offset), 16); // address, only of loaded sections
  header.writeBigUInt64LE(BigInt(section.offset), 24);
  header.writeBigUInt64LE(BigInt(section.size), 32);
  header.writeBigUInt64LE(1n, 48); // alignment
  return header;
}

function aligned(offset: number): number {
  return Math.ceil(offset / 8) * 8;
}
