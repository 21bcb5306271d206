import { readFileSync, writeFileSync } from 'node:fs';

/** Of the picture, in pixels. The walkthrough shows it a little smaller in a usual window. */
const WIDTH = 800;
/** From 0 to 1, as the browser counts it. */
const QUALITY = 0.5;

/**
 * Stores a small copy of a picture for the walkthrough, which is part of every package: those of the README are ten times as large.
 * The browser scales and encodes it.
 * @param {import('playwright-core').Page} page any page
 * @param {string} from a PNG file
 * @param {string} to a WebP file
 */
export async function writeSmallPicture(page, from, to) {
  const encoded = await page.evaluate(encode, { png: readFileSync(from).toString('base64'), width: WIDTH, quality: QUALITY });
  writeFileSync(to, Buffer.from(encoded, 'base64'));
}

/** Runs in the page. */
async function encode({ png, width, quality }) {
  const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const canvas = new OffscreenCanvas(width, Math.round((picture.height * width) / picture.width));
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality });
  const text = Array.from(new Uint8Array(await blob.arrayBuffer()), (byte) => String.fromCharCode(byte)).join('');
  return btoa(text);
}
