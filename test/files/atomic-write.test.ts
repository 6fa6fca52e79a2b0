import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { writeAtomically } from 'pentad'
import { temporaryFolder } from '../support/site-folder.ts'

describe('writeAtomically', () => {
  const folder = temporaryFolder()
  const path = join(folder, 'page.html')
  const content = () => readFileSync(path, 'utf8')

  it('replaces a file, readable only by its owner by default', async () => {
    writeFileSync(path, 'old')
    await writeAtomically(path, 'new', { flush: true })
    expect(content()).to.equal('new')
    expect(statSync(path).mode & 0o777).to.equal(0o600)
    await writeAtomically(path, Buffer.from('for all'), { mode: 0o644 })
    expect(content()).to.equal('for all')
    expect(statSync(path).mode & 0o777).to.equal(0o644)
  })

  it('takes work that writes the file elsewhere, hidden from visitors', async () => {
    await writeAtomically(path, async (temporary) => {
      await writeFile(temporary, 'half')
      expect(content()).to.equal('for all')
      expect(readdirSync(folder).filter((name) => name !== 'page.html')[0]).to.match(/^\.page\.html\.\w+\.tmp$/)
      await writeFile(temporary, 'whole')
    })
    expect(content()).to.equal('whole')
    expect(statSync(path).mode & 0o777).to.equal(0o600)
  })

  it('leaves the old file, and no temporary one, if it fails', async () => {
    const failing = writeAtomically(path, async (temporary) => {
      await writeFile(temporary, 'half')
      throw new Error('no more')
    })
    expect(await failing.catch((error) => error.message)).to.equal('no more')
    expect(content()).to.equal('whole')
    expect(readdirSync(folder)).to.deep.equal(['page.html'])
  })
})
