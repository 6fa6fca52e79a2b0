import { join } from 'node:path'
import { expect } from 'chai'
import { commandLine } from '../support/command-line.ts'
import { pentad, startPentad } from '../support/pentad.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'

const EXPORT = join(import.meta.dirname, '../fixtures/wordpress-export.xml')

describe('pentad search-replace', () => {
  const command = commandLine()

  it('shows a running site with the new text at once, also pages that were cached', async () => {
    const siteDir = temporaryFolder()
    const site = await startPentad(siteDir)
    try {
      expect((await pentad(siteDir, ['import', EXPORT])).code).to.equal(0)
      const page = async () => (await fetch(`${site.url}/`)).text()
      await until(async () => (await page()).includes('Oracle Gazette'))

      const dry = await command(siteDir, [
        'search-replace',
        'Oracle Gazette',
        'Daily <Owl>',
        '--dry-run',
        '--format=count',
      ])
      expect(dry.code, dry.errors).to.equal(0)
      expect(Number(dry.output)).to.be.greaterThan(0)
      expect(await page()).to.include('Oracle Gazette')

      const made = await command(siteDir, ['search-replace', 'Oracle Gazette', 'Daily <Owl>', '--report-changed-only'])
      expect(made.code, made.errors).to.equal(0)
      expect(made.output)
        .to.match(/^Table\tColumn\tReplacements\n/)
        .and.include('options\toption_value\t1')
      expect(made.output).to.include(`Replacements made: ${dry.output.trim()}.`)
      await until(async () => !(await page()).includes('Oracle Gazette'))
      expect(await page()).to.include('Daily &lt;Owl&gt;')

      const prefixed = await command(siteDir, ['search-replace', 'Daily', 'Nightly', 'wp_options', '--format=count'])
      expect(prefixed.output, prefixed.errors).to.equal('1\n')

      const wrong = await command(siteDir, ['search-replace', 'a', 'b', 'sessions'])
      expect(wrong.code).to.equal(1)
      expect(wrong.errors).to.include('There is no table "sessions"')
    } finally {
      await site.end()
    }
  })
})
