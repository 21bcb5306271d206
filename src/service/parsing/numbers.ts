const DECIMAL = /^([+-]?)(?=\.?\d)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i;

/** The most significant digits that a binary float carries through decimal text and back (IEEE 754 binary64). */
const EXACT_FLOAT_DIGITS = 15;

/** Gives a number, or a decimal number as text, as a finite number. */
export function parseNumber(value: unknown): number | undefined {
  if (typeof value === 'string') {
    const text = value.trim();
    return DECIMAL.test(text) ? finite(Number(text)) : undefined;
  }
  return typeof value === 'number' ? finite(value) : undefined;
}

/** Gives a number, or a number as text, as plain decimal text without exponent or needless zeros: "0.00000012". */
export function plainDecimal(value: string | number): string | undefined {
  const text = String(value).trim();
  const match = DECIMAL.exec(text);
  if (match === null) {
    return undefined;
  }
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0');
  const at = Math.max(point, 1);
  const left = padded.slice(0, at).replace(/^0+(?=\d)/, '');
  const right = padded.slice(at).replace(/0+$/, '');
  const plain = right === '' ? left : `${left}.${right}`;
  return sign === '-' && plain !== '0' ? `-${plain}` : plain;
}

/** Gives an amount in a token's smallest unit as text in whole tokens: 1500000000n with 9 decimals is "1.5". */
export function wholeTokens(raw: bigint, decimals: number): string {
  const digits = (raw < 0n ? -raw : raw).toString().padStart(decimals + 1, '0');
  const text = `${digits.slice(0, digits.length - decimals)}.${digits.slice(digits.length - decimals)}`;
  return (raw < 0n ? '-' : '') + text.replace(/\.?0*$/, '');
}

/** Gives plain decimal text in a token's smallest unit, or `undefined` where it has more places than the token. */
export function rawAmount(plain: string, decimals: number): bigint | undefined {
  const [whole = '', fraction = ''] = plain.split('.');
  return fraction.length > decimals ? undefined : BigInt(whole + fraction.padEnd(decimals, '0'));
}

/** Whether a float that stands for a decimal number says that number exactly: whether it has few enough digits. */
export function isExactDecimal(value: number): boolean {
  const digits = String(value).replace(/e.*$/i, '').replace(/[-.]/g, '').replace(/^0+/, '');
  return digits.length <= EXACT_FLOAT_DIGITS;
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}
