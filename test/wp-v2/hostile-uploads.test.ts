import { crc32, deflateSync, gzipSync } from 'node:zlib'
import { expect } from 'chai'
import sharp from 'sharp'
import { onEachDatabase } from '../support/databases.ts'
import { type Answer, jpeg, type MediaSite, openMediaSite, picture } from './media-site.ts'

const SCRIPT = '<script>alert(1)</script>'
const PHP = '<?php system($_GET["c"]); ?>'

/** What a browser may be told that an upload is; all of it is shown or downloaded, nothing run. */
const HARMLESS =
  /^(?:image\/(?:jpeg|png|gif|webp|avif|svg\+xml)|application\/(?:pdf|zip|gzip|octet-stream|vnd\.[\w.-]+)|audio\/mpeg|text\/(?:plain|csv); charset=utf-8)$/

const svg = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10">${inside}</svg>`

function pngChunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** A PNG that says it is 50,000 × 50,000 pixels and is 3 kilobytes. */
function imageBomb(): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(50_000, 0)
  header.writeUInt32BE(50_000, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const data = deflateSync(Buffer.alloc(1_000_000))
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, pngChunk('IHDR', header), pngChunk('IDAT', data), pngChunk('IEND', Buffer.alloc(0))])
}

/** A color profile that unpacks to 100 megabytes. */
async function profileBomb(): Promise<Buffer> {
  const png = await picture(20, 20).png().toBuffer()
  const profile = Buffer.concat([Buffer.from('bomb\0\0', 'latin1'), deflateSync(Buffer.alloc(100_000_000))])
  const afterHeader = 8 + 25
  return Buffer.concat([png.subarray(0, afterHeader), pngChunk('iCCP', profile), png.subarray(afterHeader)])
}

/** A zip archive with one stored or deflated entry; enough of one to be taken for a document. */
function zip(name: string, packed: Buffer, unpackedSize: number): Buffer {
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(8, 8)
  local.writeUInt32LE(packed.length, 18)
  local.writeUInt32LE(unpackedSize, 22)
  local.writeUInt16LE(name.length, 26)
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(name.length, 28)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  return Buffer.concat([local, Buffer.from(name), packed, entry, Buffer.from(name), end])
}

const withComment = (image: Buffer, text: string) => {
  const comment = Buffer.alloc(4)
  comment.writeUInt16BE(0xfffe, 0)
  comment.writeUInt16BE(text.length + 2, 2)
  return Buffer.concat([image.subarray(0, 2), comment, Buffer.from(text), image.subarray(2)])
}

/** A GIF whose first bytes are also a script: its width reads as the beginning of a comment. */
async function gifScript(): Promise<Buffer> {
  const gif = await picture(8, 8).gif().toBuffer()
  return Buffer.concat([gif, Buffer.from('*/=1;alert(document.domain)//')])
}

interface Hostile {
  readonly name: string
  readonly file: () => Buffer | Promise<Buffer>
  /** What is answered: a refusal with its reason, or a file whose name ends so. */
  readonly ends: { readonly refused: string } | { readonly stored: RegExp }
  /** What must not be in what is served. */
  readonly without?: readonly string[]
}

const TABLE: Record<string, Hostile> = {
  'a PHP program': { name: 'shell.php', file: () => Buffer.from(PHP), ends: { refused: 'file_type' } },
  'a PHP program as .jpg': { name: 'shell.jpg', file: () => Buffer.from(PHP), ends: { refused: 'file_type' } },
  'PHP in the comment of a JPEG': {
    ...{
      name: 'comment.jpg',
      file: async () => withComment(await jpeg(20, 20), PHP),
      ends: { stored: /\/comment\.jpg$/ },
    },
    without: ['<?php'],
  },
  'PHP in the Exif of a JPEG with the name of a program': {
    ...{
      name: 'exif.php',
      file: () =>
        picture(20, 20)
          .withExif({ IFD0: { Make: PHP } })
          .jpeg()
          .toBuffer(),
    },
    ...{ ends: { stored: /\/exif\.jpg$/ }, without: ['<?php'] },
  },
  'a double extension': {
    ...{ name: 'photo.php.jpg', file: () => jpeg(20, 20), ends: { stored: /\/photo\.php_\.jpg$/ } },
  },
  'an archive behind a JPEG': {
    name: 'holiday.jpg',
    file: async () => Buffer.concat([await jpeg(20, 20), zip('META-INF/MANIFEST.MF', Buffer.from('x'), 1)]),
    ends: { stored: /\/holiday\.jpg$/ },
    without: ['PK\x03\x04', 'MANIFEST'],
  },
  'a page behind a PNG': {
    name: 'page.png',
    file: async () => Buffer.concat([await picture(20, 20).png().toBuffer(), Buffer.from(SCRIPT)]),
    ends: { stored: /\/page\.png$/ },
    without: ['<script'],
  },
  'a page in the text of a PNG': {
    name: 'text.png',
    async file() {
      const png = await picture(20, 20).png().toBuffer()
      return Buffer.concat([png.subarray(0, 33), pngChunk('tEXt', Buffer.from(`Title\0${SCRIPT}`)), png.subarray(33)])
    },
    ends: { stored: /\/text\.png$/ },
    without: ['<script'],
  },
  'a GIF that is also a script': {
    ...{ name: 'both.gif', file: gifScript, ends: { stored: /\/both\.gif$/ }, without: ['alert'] },
  },
  'a script that begins like a GIF': {
    ...{ name: 'fake.gif', file: () => Buffer.from('GIF89a/*\0\0*/=1;alert(1)//'), ends: { refused: 'damaged' } },
  },
  'a page behind a WebP': {
    name: 'page.webp',
    file: async () => Buffer.concat([await picture(20, 20).webp().toBuffer(), Buffer.from(SCRIPT)]),
    ends: { stored: /\/page\.webp$/ },
    without: ['<script'],
  },
  'a page that is also a PDF': {
    ...{ name: 'paper.pdf', file: () => Buffer.from(`<html>${SCRIPT}\n%PDF-1.7`), ends: { refused: 'file_type' } },
  },
  'a PDF that is also a page': {
    ...{ name: 'paper.html', file: () => Buffer.from(`%PDF-1.7\n${SCRIPT}`), ends: { stored: /\/paper\.pdf$/ } },
  },
  'a page as .jpg': { name: 'page.jpg', file: () => Buffer.from(`<html>${SCRIPT}`), ends: { refused: 'file_type' } },
  'a page': { name: 'page.html', file: () => Buffer.from(`<html>${SCRIPT}`), ends: { refused: 'file_type' } },
  'a page as .txt': {
    ...{ name: 'page.txt', file: () => Buffer.from(`<html>${SCRIPT}`), ends: { stored: /\/page\.txt$/ } },
  },
  'a drawing with a script': {
    ...{ name: 'logo.svg', file: () => Buffer.from(svg(`${SCRIPT}<rect width="5" height="5" onload="alert(1)"/>`)) },
    ...{ ends: { stored: /\/logo\.svg$/ }, without: ['alert', 'script', 'onload'] },
  },
  'a drawing with every other way to a script': {
    name: 'ways.svg',
    file: () =>
      Buffer.from(
        svg(`<a href="javascript:alert(1)"><text>x</text></a><foreignObject><p xmlns="http://www.w3.org/1999/xhtml">
          <img src="x" onerror="alert(1)"/></p></foreignObject><animate attributeName="href" to="javascript:alert(1)"/>
          <use href="https://evil.example/x.svg#a"/><image href="data:image/svg+xml;base64,PHN2Zz4="/>
          <style>@import url(https://evil.example/a.css); rect { fill: url(https://evil.example/b) }</style>
          <rect style="background:url(https://evil.example/c)" fill="u\\72l(https://evil.example/d)"/>
          <h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>`),
      ),
    ends: { stored: /\/ways\.svg$/ },
    without: ['alert', 'evil.example', 'javascript', 'foreignObject', 'svg+xml;base64'],
  },
  'a drawing with an external entity': {
    name: 'entity.svg',
    file: () =>
      Buffer.from(
        `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('<text>&x;</text>')}`,
      ),
    ends: { refused: 'unsafe' },
  },
  'a drawing with a billion entities': {
    name: 'laughs.svg',
    file: () =>
      Buffer.from(`<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>${svg('<text>&b;&b;</text>')}`),
    ends: { refused: 'unsafe' },
  },
  'a compressed drawing': {
    name: 'logo.svgz',
    file: () => gzipSync(svg(SCRIPT)),
    ends: { stored: /\/logo\.gz$/ },
  },
  'an image of 50,000 × 50,000 pixels': { name: 'bomb.png', file: imageBomb, ends: { refused: 'image_too_large' } },
  'a GIF of 60,000 × 60,000 pixels': {
    name: 'bomb.gif',
    async file() {
      const gif = Buffer.from(await picture(8, 8).gif().toBuffer())
      gif.writeUInt16LE(60_000, 6)
      gif.writeUInt16LE(60_000, 8)
      return gif
    },
    ends: { refused: 'image_too_large' },
  },
  'a color profile of 100 megabytes': {
    ...{ name: 'profile.png', file: profileBomb, ends: { stored: /\/profile\.png$/ }, without: ['iCCP'] },
  },
  'a JPEG that was cut off': {
    name: 'half.jpg',
    file: async () => (await picture(400, 400).jpeg().toBuffer()).subarray(0, 2000),
    ends: { refused: 'damaged' },
  },
  'a PNG that was cut off': {
    name: 'half.png',
    file: async () => (await picture(400, 400).png().toBuffer()).subarray(0, 900),
    ends: { refused: 'damaged' },
  },
  'a JPEG that is only its first bytes': {
    ...{ name: 'head.jpg', file: () => Buffer.from('ffd8ffe0', 'hex'), ends: { refused: 'damaged' } },
  },
  'an empty file': { name: 'empty.jpg', file: () => Buffer.alloc(0), ends: { refused: 'empty' } },
  'a name with ../': {
    ...{
      name: '../../../themes/evil/page.jpg',
      file: () => jpeg(20, 20),
      ends: { stored: /\/uploads\/\d{4}\/\d\d\/[\w-]*page\.jpg$/ },
    },
  },
  'a name with NUL': {
    ...{
      name: 'shell.php\0.jpg',
      file: () => jpeg(20, 20),
      ends: { stored: /\/shell\.php_?(?:\.jpg|00)?[\w.]*\.jpg$/ },
    },
  },
  'a name that turns its extension around': {
    ...{ name: 'photo\u202egpj.exe', file: () => jpeg(20, 20), ends: { stored: /\/photogpj\.jpg$/ } },
  },
  'a name of 5,000 characters': {
    ...{ name: `${'a'.repeat(5000)}.jpg`, file: () => jpeg(20, 20), ends: { stored: /\/a{180}\.jpg$/ } },
  },
  'a device of Windows': { name: 'CON.jpg', file: () => jpeg(20, 20), ends: { stored: /\/CON_\.jpg$/ } },
  "a server's settings": {
    ...{
      name: '.htaccess',
      file: () => Buffer.from('AddType application/x-httpd-php .jpg'),
      ends: { refused: 'file_type' },
    },
  },
  'a bomb of a document': {
    name: 'bomb.docx',
    file: () => zip('word/document.xml[Content_Types].xml', deflateSync(Buffer.alloc(50_000_000)), 50_000_000),
    ends: { stored: /\/bomb\.docx$/ },
  },
  'a program for Windows': {
    name: 'photo.jpg',
    file: () => Buffer.from('MZ\x90\0\x03'),
    ends: { refused: 'file_type' },
  },
  'a program in the name of a sound': {
    ...{ name: 'song.mp3', file: () => Buffer.from('\x7fELF\x02\x01'), ends: { refused: 'file_type' } },
  },
}

onEachDatabase('hostile uploads', (databaseUrl) => {
  let site: MediaSite
  before(async () => {
    site = await openMediaSite(await databaseUrl())
  })
  after(() => site.close())

  for (const [title, { name, file, ends, without }] of Object.entries(TABLE)) {
    for (const way of ['form', 'body'] as const) {
      it(`${title}, as a ${way}, ends in ${'refused' in ends ? 'a clear error' : 'a safe file'}`, async () => {
        const before = site.files()
        const answer = await send(await file(), name, way)
        if ('refused' in ends && ends.refused === 'empty' && way === 'body') {
          expect([answer.status, answer.item.code]).to.deep.equal([400, 'rest_upload_no_data'])
        } else if ('refused' in ends) {
          expect(answer.status).to.equal(400)
          expect(answer.item.code).to.match(/^rest_upload_/)
          expect(answer.item.data).to.include({ reason: ends.refused })
        } else {
          expect(answer.status, JSON.stringify(answer.item)).to.equal(201)
          expect(String(answer.item.source_url).replace(/-\d+(\.\w+)$/, '$1')).to.match(ends.stored)
          await expectHarmless(String(answer.item.source_url), without ?? [])
        }
        if ('refused' in ends) expect(site.files()).to.deep.equal(before)
        expect(site.waiting()).to.deep.equal([])
      })
    }
  }

  function send(file: Buffer, name: string, way: 'form' | 'body'): Promise<Answer> {
    if (way === 'form') return site.uploadForm(file, name)
    const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(name)}`
    return site.uploadBody(file, { 'content-type': 'image/jpeg', 'content-disposition': disposition })
  }

  async function expectHarmless(url: string, without: readonly string[]): Promise<void> {
    expect(url).to.match(new RegExp(`^${site.url}/wp-content/uploads/\\d{4}/\\d\\d/[^/]+$`))
    const served = await fetch(url)
    expect(served.status).to.equal(200)
    expect(served.headers.get('x-content-type-options')).to.equal('nosniff')
    expect(served.headers.get('content-type')).to.match(HARMLESS)
    const bytes = Buffer.from(await served.arrayBuffer())
    for (const text of without) expect(bytes.includes(text), text).to.equal(false)
    if (/\.(?:jpg|png|gif|webp)$/.test(url)) expect((await sharp(bytes).metadata()).width).to.be.greaterThan(0)
  }
})
