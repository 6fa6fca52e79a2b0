import { open } from 'node:fs/promises'

/** Bytes of a file's start and end that are examined: the directory of a ZIP file is at its end. */
const HEAD = 4100
const TAIL = 64 * 1024

/** Extensions of text files, whose type cannot be detected from their content. */
const TEXT = ['txt', 'asc', 'srt', 'csv', 'tsv', 'ics', 'vtt']

type Found = readonly string[]

/**
 * The extensions that match a file's content, most common first; empty if unknown. The client's file name is ignored,
 * except for text files, which cannot be distinguished.
 */
export async function extensionsByContent(path: string, given: string): Promise<Found> {
  await using file = await open(path, 'r')
  const { size } = await file.stat()
  const head = Buffer.alloc(Math.min(HEAD, size))
  await file.read(head, 0, head.length, 0)
  const found = byMagic(head)
  if (found.length > 0 && found[0] !== 'zip') return found
  if (found[0] === 'zip') {
    const tail = Buffer.alloc(Math.min(TAIL, size))
    await file.read(tail, 0, tail.length, size - tail.length)
    return byZipDirectory(head, tail.toString('latin1'))
  }
  if (isSvg(head)) return ['svg']
  return TEXT.includes(given) && isText(head) ? [given] : []
}

function byMagic(head: Buffer): Found {
  const text = head.toString('latin1')
  const bytes = (hex: string, at = 0) => head.subarray(at, at + hex.length / 2).toString('hex') === hex
  if (bytes('ffd8ff')) return ['jpg', 'jpeg', 'jpe']
  if (bytes('89504e470d0a1a0a')) return ['png']
  if (/^GIF8[79]a/.test(text)) return ['gif']
  if (text.startsWith('RIFF')) return byRiff(text.slice(8, 12))
  if (text.slice(4, 8) === 'ftyp') return byBrand(text)
  if (bytes('1a45dfa3')) return text.slice(0, 64).includes('webm') ? ['webm'] : ['mkv']
  if (text.startsWith('OggS')) return text.includes('theora') ? ['ogv'] : ['ogg', 'oga']
  if (text.startsWith('fLaC')) return ['flac']
  if (text.startsWith('MThd')) return ['mid', 'midi']
  if (text.startsWith('ID3')) return ['mp3']
  if (bytes('fff1') || bytes('fff9')) return ['aac']
  if (bytes('fffb') || bytes('fff3') || bytes('fff2') || bytes('fffa')) return ['mp3']
  if (/^%PDF-\d/.test(text)) return ['pdf']
  if (text.startsWith('{\\rtf')) return ['rtf']
  if (bytes('504b0304') || bytes('504b0506')) return ['zip']
  if (bytes('1f8b08')) return ['gz', 'gzip']
  if (text.slice(257, 262) === 'ustar') return ['tar']
  if (text.startsWith('Rar!\x1a\x07')) return ['rar']
  if (bytes('377abcaf271c')) return ['7z']
  if (text.startsWith('8BPS')) return ['psd']
  if (bytes('d0cf11e0a1b11ae1')) return ['doc', 'xls', 'ppt', 'pot', 'pps', 'xla', 'xlt', 'xlw']
  if (bytes('49492a00') || bytes('4d4d002a')) return ['tif', 'tiff']
  if (/^BM/.test(text) && bytes('00000000', 6)) return ['bmp']
  return bytes('00000100') ? ['ico'] : []
}

function byRiff(kind: string): Found {
  if (kind === 'WEBP') return ['webp']
  if (kind === 'WAVE') return ['wav']
  return kind === 'AVI ' ? ['avi'] : []
}

/** The brand of an ISO media file (ISO 14496-12). */
function byBrand(text: string): Found {
  const brand = text.slice(8, 12)
  if (/^avi[fs]/.test(brand)) return ['avif']
  if (/^(?:hei[cxms]|hev[cxms]|mif1|msf1)/.test(brand)) {
    return text.slice(16, 64).includes('avif') ? ['avif'] : ['heic', 'heif']
  }
  if (/^M4[ABP]/.test(brand)) return ['m4a', 'm4b']
  if (brand.startsWith('qt')) return ['mov', 'qt']
  return brand.startsWith('3g') ? ['3gp', '3gpp'] : ['mp4', 'm4v']
}

/** Office files are ZIP files; the names in the directory determine the type. */
function byZipDirectory(head: Buffer, directory: string): Found {
  const start = head.toString('latin1', 0, 200)
  const openDocument = /mimetypeapplication\/vnd\.oasis\.opendocument\.(text|presentation|spreadsheet|graphics)/
  const kinds: Readonly<Record<string, string>> = {
    text: 'odt',
    presentation: 'odp',
    spreadsheet: 'ods',
    graphics: 'odg',
  }
  const kind = openDocument.exec(start)?.[1]
  if (kind !== undefined) return [kinds[kind] ?? 'zip']
  if (!directory.includes('[Content_Types].xml')) return ['zip']
  const hasMacros = directory.includes('vbaProject.bin')
  if (directory.includes('word/document.xml')) return [hasMacros ? 'docm' : 'docx']
  if (directory.includes('xl/workbook.')) return [hasMacros ? 'xlsm' : 'xlsx']
  if (directory.includes('ppt/presentation.xml')) return [hasMacros ? 'pptm' : 'pptx']
  return ['zip']
}

function isSvg(head: Buffer): boolean {
  const text = head
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart()
  if (!text.startsWith('<')) return false
  const withoutProlog = text.replace(/^(?:<\?[^>]*\?>|<!--[\s\S]*?-->|<!doctype[^[>]*(?:\[[\s\S]*?\])?\s*>|\s)+/i, '')
  return /^<(?:[\w-]+:)?svg[\s>/]/i.test(withoutProlog)
}

function isText(head: Buffer): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return !/[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(head.toString('latin1'))
}
