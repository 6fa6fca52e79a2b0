import { expect } from 'chai'
import { nameFromDisposition, sanitizeFileName } from '../../../cms/content/media/file-name.ts'
import { MIME_TYPES, typeOfExtension } from '../../../cms/content/media/mime-types.ts'

function sanitized(name: string): string {
  const { base, extension } = sanitizeFileName(name, (part) => typeOfExtension(MIME_TYPES, part) !== undefined)
  return extension === '' ? base : `${base}.${extension}`
}

describe('The name of an uploaded file', () => {
  const names: Record<string, string> = {
    'photo.jpg': 'photo.jpg',
    'Photo 1 (2).JPG': 'Photo-1-2.jpg',
    'a  b---c.png': 'a-b-c.png',
    'été à la mer.jpg': 'ete-a-la-mer.jpg',
    'Мост через реку.jpg': 'Мост-через-реку.jpg',
    '日本.png': '日本.png',
    '../../etc/passwd': 'etcpasswd',
    '..\\..\\boot.ini': 'boot.ini',
    'shell.php.jpg': 'shell.php_.jpg',
    'archive.tar.gz': 'archive.tar.gz',
    'version 1.2.pdf': 'version-1.2.pdf',
    '.htaccess': 'htaccess',
    '...hidden.png': 'hidden.png',
    'a....jpg': 'a.jpg',
    '<script>.svg': 'script.svg',
    "'; drop table.csv": 'drop-table.csv',
    'a\0b\u202e.jpg': 'ab.jpg',
    'a\nb.jpg': 'a-b.jpg',
    'nul.png': 'nul_.png',
    'COM1.jpg': 'COM1_.jpg',
    '???': 'unnamed-file',
    '': 'unnamed-file',
  }
  for (const [given, expected] of Object.entries(names)) {
    it(`${JSON.stringify(given)} becomes ${expected}`, () => {
      expect(sanitized(given)).to.equal(expected)
    })
  }

  it('is cut between characters, so that its sizes have names too', () => {
    const name = sanitized(`${'ж'.repeat(5000)}.jpg`)
    expect(name).to.equal(`${'ж'.repeat(90)}.jpg`)
    expect(Buffer.byteLength(sanitized(`a.${'b'.repeat(5000)}`))).to.be.lessThan(100)
  })

  it('is the same once it was sanitized', () => {
    for (const expected of Object.values(names)) expect(sanitized(expected)).to.equal(expected)
  })
})

describe('The name in a Content-Disposition header', () => {
  const headers: Record<string, string | undefined> = {
    'attachment; filename=a.jpg': 'a.jpg',
    'attachment; filename="a b.jpg"': 'a b.jpg',
    'attachment; filename="a;b.jpg"': 'a;b.jpg',
    'attachment; filename="a \\"b\\".jpg"': 'a "b".jpg',
    'ATTACHMENT; FileName="a.jpg"; size=3': 'a.jpg',
    "attachment; filename*=UTF-8''%e2%82%ac.jpg": '€.jpg',
    "attachment; filename=x.jpg; filename*=UTF-8'en'%C3%A4.jpg": 'ä.jpg',
    "attachment; filename=x.jpg; filename*=ISO-8859-1''%E4.jpg": 'ä.jpg',
    "attachment; filename=x.jpg; filename*=UTF-8''%ff": 'x.jpg',
    'attachment; filename="Ã¤.jpg"': 'ä.jpg',
    'attachment; filename=""': undefined,
    attachment: undefined,
    'filename=a.jpg': undefined,
    '': undefined,
  }
  for (const [header, expected] of Object.entries(headers)) {
    it(`${header || 'an empty one'} says ${expected}`, () => {
      expect(nameFromDisposition(header)).to.equal(expected)
    })
  }
})
