import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { scaffoldExtension } from '../../cli/scaffold-extension.ts'
import { temporaryFolder } from '../support/site-folder.ts'

const ROOT = join(import.meta.dirname, '../..')
const run = promisify(execFile)
const bin = (name: string) => join(ROOT, 'node_modules/.bin', name)

describe('what `pentad extension new` writes', () => {
  // A site may lie anywhere: within the host's folder, where it finds the host by itself, or outside.
  const within = mkdtempSync(join(ROOT, '.scaffold-test-'))
  after(() => rmSync(within, { recursive: true, force: true }))

  for (const [where, site] of [
    ['outside of the host’s folder', temporaryFolder()],
    ['within it', within],
  ] as const) {
    describe(where, () => {
      const folder = join(site, 'extensions', 'good-day')
      before(() => scaffoldExtension('good-day', folder))

      if (site === within) {
        it('names no folder of this machine: the whole may be moved', () => {
          expect(readFileSync(join(folder, 'tsconfig.json'), 'utf8')).to.not.contain(ROOT)
        })
      }

      const ownTest = [bin('mocha'), '--no-parallel', join(folder, 'index.test.ts')]

      if (site !== within) {
        it('passes its own test', async () => {
          const { stdout } = await run(process.execPath, ownTest, { cwd: ROOT })
          expect(stdout).to.match(/3 passing/)
        })
      }

      it('passes its own test when its greeting is changed, as the guide says', async () => {
        const file = join(folder, 'index.ts')
        writeFileSync(file, readFileSync(file, 'utf8').replace('Hello from Good day!', 'It’s "good" & <new>'))
        const { stdout } = await run(process.execPath, ownTest, { cwd: ROOT })
        expect(stdout).to.match(/3 passing/)
      })

      it('type-checks, with what services and the store fire, and a wrong hook name is all that the compiler finds', async () => {
        const file = join(folder, 'index.ts')
        const listening = [
          "hooks.addAction('speed_purged', ({ scope, urls }) => void [scope, ...urls])",
          "hooks.addAction('store_order_placed', async ({ number, total }) => void [number, total])",
          'hooks.addFilter',
        ].join('\n    ')
        const code = readFileSync(file, 'utf8').replace('hooks.addFilter', listening)
        writeFileSync(file, code.replace("'the_content'", "'the_contend'"))
        const { stdout } = await run(process.execPath, [
          join(ROOT, 'node_modules/typescript-native/bin/tsc'),
          // Threads check the same types again, each for itself: four take three times as much of the processor.
          '--singleThreaded',
          '-p',
          folder,
        ]).catch((error) => error)
        expect(stdout).to.match(/index\.ts.*"the_contend"/)
        expect(stdout.match(/error TS/g)).to.have.length(1)
      })
    })
  }

  it('mends the link to a host that was moved', () => {
    const extensions = temporaryFolder()
    mkdirSync(join(extensions, 'node_modules'))
    symlinkSync(join(extensions, 'moved-away'), join(extensions, 'node_modules/pentad'))
    scaffoldExtension('late', join(extensions, 'late'))
    expect(realpathSync(join(extensions, 'node_modules/pentad'))).to.equal(ROOT)
  })

  it('writes nothing where the link can not be made', () => {
    const extensions = temporaryFolder()
    writeFileSync(join(extensions, 'node_modules'), '')
    expect(() => scaffoldExtension('late', join(extensions, 'late'))).to.throw('is not a folder')
    expect(existsSync(join(extensions, 'late'))).to.equal(false)
  })

  it('escapes the owner’s text', () => {
    const folder = join(temporaryFolder(), 'plain')
    scaffoldExtension('plain', folder)
    expect(readFileSync(join(folder, 'index.ts'), 'utf8')).to.contain('escapeHtml(')
  })

  it('has to have a name that is an id, and says which it could be', () => {
    for (const [name, suggestion] of [
      ['Hello World', 'hello-world'],
      ['../evil', 'evil'],
      ['9 lives', 'lives'],
      ['日本', 'my-extension'],
      ['a'.repeat(61), 'a'.repeat(60)],
    ] as const) {
      expect(() => scaffoldExtension(name, join(temporaryFolder(), 'x'))).to.throw(`hyphens: ${suggestion}`)
    }
  })
})
