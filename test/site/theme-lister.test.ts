import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createThemeLister, listTheme } from '../../cms/site/theme/folder.ts'
import { temporaryFolder } from '../support/site-folder.ts'

/** As if nothing had changed for a minute: only then are folders not read again. */
function letTimePass(folder: string): void {
  const inside = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
  for (const path of [folder, ...inside].filter((path) => statSync(path).isDirectory())) {
    const changed = statSync(path).mtimeMs / 1000 - 60
    utimesSync(path, changed, changed)
  }
}

describe('The list of theme files in development', () => {
  it('is the same as if the folder had been read again, whatever changes in between', () => {
    const folder = join(temporaryFolder(), 'theme')
    const list = createThemeLister()
    const file = (name: string) => join(folder, name)
    const steps: Record<string, () => void> = {
      'no folder': () => {},
      'a new folder': () => mkdirSync(folder),
      'a file': () => writeFileSync(file('home.eta'), 'Home'),
      'an edited file': () => utimesSync(file('home.eta'), 1_700_000_000, 1_700_000_000),
      'a folder in it': () => mkdirSync(file('partials')),
      'a file in that folder': () => writeFileSync(file('partials/header.eta'), 'Header'),
      'a renamed file': () => renameSync(file('partials/header.eta'), file('partials/footer.eta')),
      'a removed folder': () => rmSync(file('partials'), { recursive: true }),
      'a removed theme': () => rmSync(folder, { recursive: true }),
      'a theme with the same name': () => {
        mkdirSync(folder)
        writeFileSync(file('page.eta'), 'Page')
      },
    }
    for (const [step, change] of Object.entries(steps)) {
      change()
      expect(list(folder), step).to.deep.equal(listTheme(folder))
      if (step === 'no folder' || step === 'a removed theme') continue
      letTimePass(folder)
      expect(list(folder), `after ${step}`).to.deep.equal(listTheme(folder))
    }
  })

  it('has a file that was added at the same time, by the clock of the disk, as the one before', () => {
    const folder = join(temporaryFolder(), 'theme')
    mkdirSync(folder)
    const list = createThemeLister()
    // Whole seconds survive setting them as they are.
    const time = Math.floor(Date.now() / 1000)
    const add = (name: string) => {
      writeFileSync(join(folder, name), name)
      utimesSync(folder, time, time)
      return statSync(folder).mtimeMs
    }
    const before = add('home.eta')
    list(folder)
    expect(add('page.eta')).to.equal(before)
    expect(list(folder).map(({ name }) => name)).to.deep.equal(['home.eta', 'page.eta'])
  })
})
