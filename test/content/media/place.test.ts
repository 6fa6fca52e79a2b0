import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { placeFile, replaceFile } from '../../../cms/content/media/place.ts'
import { createLocalFiles } from '../../../cms/content/media/upload-files.ts'
import { temporaryFolder } from '../../support/site-folder.ts'

const photo = { base: 'photo', extension: 'jpg' }

/** The uploads of a new site, and the folder of a month. */
function month() {
  const files = createLocalFiles(temporaryFolder())
  const folder = join(files.folder, '2026/01')
  mkdirSync(folder, { recursive: true })
  return { files, folder }
}

describe('Where an uploaded file is put', () => {
  async function place(there: readonly string[], base = 'photo'): Promise<string> {
    const { files, folder } = month()
    for (const name of there) writeFileSync(join(folder, name), '')
    return placeFile(Buffer.from('x'), files, '2026/01', { base, extension: 'jpg' })
  }

  it('has its own name, or the next number that is free', async () => {
    expect(await place([])).to.equal('photo.jpg')
    expect(await place(['photo.jpg'])).to.equal('photo-1.jpg')
    expect(await place(['photo.jpg', 'photo-1.jpg', 'photo-3.jpg'])).to.equal('photo-2.jpg')
    expect(await place(['photo.png'])).to.equal('photo.jpg')
  })

  it('sees no difference between small and capital letters', async () => {
    expect(await place(['PHOTO.JPG'])).to.equal('photo-1.jpg')
  })

  it('leaves a name whose sizes are there already, and never looks like a size itself', async () => {
    expect(await place(['photo-300x200.jpg'])).to.equal('photo-1.jpg')
    expect(await place(['photo-scaled.jpg'])).to.equal('photo-1.jpg')
    expect(await place(['photo-of-me-300x200.jpg'])).to.equal('photo.jpg')
    expect(await place([], 'photo-300x200')).to.equal('photo-300x200-1.jpg')
    expect(await place([], 'photo-scaled')).to.equal('photo-scaled-1.jpg')
  })

  it('is never another file of the same name, however many come at once', async () => {
    const { files, folder } = month()
    const texts = Array.from({ length: 30 }, (_, index) => `file ${index}`)
    const names = await Promise.all(texts.map((text) => placeFile(Buffer.from(text), files, '2026/01', photo)))
    expect(new Set(names).size).to.equal(30)
    expect(names.map((name) => readFileSync(join(folder, name), 'utf8'))).to.deep.equal(texts)
    expect(readdirSync(folder)).to.have.length(30)
  })

  it('shows no half file: what is written is hidden until it is whole', async () => {
    const { files, folder } = month()
    const seen = new Set<string>()
    const bytes = Buffer.alloc(30_000_000, 1)
    const placed = placeFile(bytes, files, '2026/01', photo).finally(() => seen.add('done'))
    while (!seen.has('done')) {
      for (const name of readdirSync(folder)) {
        if (!name.startsWith('.')) expect(readFileSync(join(folder, name)).length).to.equal(bytes.length)
        else seen.add('hidden')
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect([...seen]).to.deep.equal(['hidden', 'done'])
    expect(readdirSync(folder)).to.deep.equal([await placed])
  })

  it('leaves nothing behind if the source is missing', async () => {
    const { files, folder } = month()
    await placeFile(join(folder, 'nothing'), files, '2026/01', photo).then(
      () => expect.fail('it was placed'),
      () => {},
    )
    expect(readdirSync(folder)).to.deep.equal([])
  })

  it('is replaced atomically when a size is regenerated', async () => {
    const { files, folder } = month()
    writeFileSync(join(folder, 'photo-300x200.jpg'), 'old')
    await replaceFile(Buffer.from('new'), files, '2026/01/photo-300x200.jpg')
    expect(readdirSync(folder)).to.deep.equal(['photo-300x200.jpg'])
    expect(readFileSync(join(folder, 'photo-300x200.jpg'), 'utf8')).to.equal('new')
  })
})
