import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { extensionsByContent } from '../../../cms/content/media/file-type.ts'
import { temporaryFolder } from '../../support/site-folder.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const box = (brand: string) => Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0`, 'latin1')

/** By content: the extension the file is taken for, `undefined` for unknown content. */
const CONTENTS: Record<string, [content: Buffer | string, extension: string | undefined]> = {
  JPEG: [hex('ffd8ffe0 0010'), 'jpg'],
  PNG: [hex('89504e470d0a1a0a'), 'png'],
  GIF: ['GIF89a', 'gif'],
  WebP: ['RIFF\0\0\0\0WEBPVP8 ', 'webp'],
  AVIF: [box('avif'), 'avif'],
  HEIC: [box('heic'), 'heic'],
  MP4: [box('isom'), 'mp4'],
  M4A: [box('M4A '), 'm4a'],
  QuickTime: [box('qt  '), 'mov'],
  WebM: [Buffer.concat([hex('1a45dfa3'), Buffer.from('\x42\x82\x84webm', 'latin1')]), 'webm'],
  Matroska: [Buffer.concat([hex('1a45dfa3'), Buffer.from('\x42\x82\x88matroska', 'latin1')]), 'mkv'],
  'Ogg sound': ['OggS\0\x02vorbis', 'ogg'],
  'Ogg film': ['OggS\0\x02\x80theora', 'ogv'],
  'MP3 with a title': ['ID3\x04', 'mp3'],
  MP3: [hex('fffb9064'), 'mp3'],
  WAV: ['RIFF\0\0\0\0WAVEfmt ', 'wav'],
  FLAC: ['fLaC', 'flac'],
  PDF: ['%PDF-1.7', 'pdf'],
  ZIP: ['PK\x03\x04', 'zip'],
  Word: ['PK\x03\x04…[Content_Types].xml…word/document.xml', 'docx'],
  'Word with macros': ['PK\x03\x04…[Content_Types].xml…word/document.xml…word/vbaProject.bin', 'docm'],
  Excel: ['PK\x03\x04…[Content_Types].xml…xl/workbook.xml', 'xlsx'],
  PowerPoint: ['PK\x03\x04…[Content_Types].xml…ppt/presentation.xml', 'pptx'],
  OpenDocument: [`PK\x03\x04${'\0'.repeat(26)}mimetypeapplication/vnd.oasis.opendocument.textPK`, 'odt'],
  'old Word': [hex('d0cf11e0a1b11ae1'), 'doc'],
  gzip: [hex('1f8b08'), 'gz'],
  SVG: ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'svg'],
  'SVG with a prolog': ['\ufeff<?xml version="1.0"?>\n<!-- x -->\n<svg/>', 'svg'],
  'SVG with a document type': ['<!DOCTYPE svg [<!ENTITY a "<svg>">]><svg/>', 'svg'],
  TIFF: [hex('49492a00'), 'tif'],
  BMP: [hex('424d 3a000000 00000000'), 'bmp'],
  'text that begins like a BMP': ['BM', 'txt'],
  'an image of two bytes': [hex('424d00'), undefined],
  text: ['Hello', 'txt'],
  HTML: ['<html><svg>', 'txt'],
  'text with NUL': ['Hello\0', undefined],
  PHP: ['<?php', 'txt'],
  'a program': ['\x7fELF\x02\x01\x01\0', undefined],
  nothing: ['', 'txt'],
}

describe('What a file is, its content says', () => {
  const folder = temporaryFolder()

  for (const [title, [content, expected]] of Object.entries(CONTENTS)) {
    it(`${title}, though it is called .txt`, async () => {
      const path = join(folder, 'file')
      writeFileSync(path, content, typeof content === 'string' && !content.startsWith('\ufeff') ? 'latin1' : 'utf8')
      expect((await extensionsByContent(path, 'txt'))[0]).to.equal(expected)
    })
  }

  it('text by another name than that of a text file is nothing that is known', async () => {
    const path = join(folder, 'file')
    writeFileSync(path, '<?php')
    expect(await extensionsByContent(path, 'php')).to.deep.equal([])
    expect(await extensionsByContent(path, 'jpg')).to.deep.equal([])
    expect(await extensionsByContent(path, 'csv')).to.deep.equal(['csv'])
  })
})
