import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { packageReadme } from '../../build/readme.ts'
import {
  closeSection,
  isNewer,
  LIST_COMPONENTS,
  licenseReport,
  nameProduct,
  repositoryUrl,
  setServiceVersion,
} from '../../build/release-texts.ts'
import packageJson from '../../package.json' with { type: 'json' }

const ROOT = join(import.meta.dirname, '../..')

describe('npm run release', () => {
  it('accepts only a newer version, by the rules of semantic versions', () => {
    const order = [
      '0.1.0',
      '1.0.0-alpha.9',
      '1.0.0-beta.2',
      '1.0.0-beta.10',
      '1.0.0',
      '1.0.1',
      '1.2.0',
      '1.10.0',
      '2.0.0',
    ]
    for (const [index, version] of order.entries()) {
      for (const [other, than] of order.entries())
        expect(isNewer(version, than), `${version} ${than}`).to.equal(index > other)
    }
    for (const invalid of ['', '1.0', 'v2.0.0', '2.0.0-', '2.0.0-a..b'])
      expect(isNewer(invalid, '1.0.0')).to.equal(false)
  })

  it('puts the unreleased changes under the version and the date', () => {
    const date = new Date('2026-12-01T12:00:00Z')
    const closed = closeSection('# Changelog\n\n## Unreleased\n\n### Added\n\n- A.\n', '1.0.0', date)
    expect(closed).to.equal('# Changelog\n\n## Unreleased\n\n## 1.0.0 - 2026-12-01\n\n### Added\n\n- A.\n')
    expect(() => closeSection('# Changelog\n', '1.0.0', date)).to.throw('one section')
    const own = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
    expect(closeSection(own, '99.0.0', date)).to.contain('## 99.0.0 - 2026-12-01')
  })

  it('gives the services the version of the package', () => {
    const services = globSync('plugins/*/index.ts', { cwd: ROOT }).map((file) => readFileSync(join(ROOT, file), 'utf8'))
    expect(services).to.have.length(5)
    for (const source of services) {
      expect(setServiceVersion(source, packageJson.version)).to.equal(source)
      expect(setServiceVersion(source, '99.0.0-rc.1')).to.contain("\n  version: '99.0.0-rc.1',\n")
    }
    expect(() => setServiceVersion('export default {}', '1.0.0')).to.throw('no version')
  })

  it('names the repository of the git remote, which npm compares with where it was built', () => {
    const remotes = [
      'git@git.example.com:owner/pentad.git',
      'https://git.example.com/owner/pentad',
      'https://user:token@git.example.com/owner/pentad.git',
      'ssh://git@git.example.com:2222/owner/pentad.git',
    ]
    for (const remote of remotes)
      expect(repositoryUrl(remote), remote).to.equal('git+https://git.example.com/owner/pentad.git')
    for (const remote of ['', '/srv/git/pentad.git', '../pentad', 'file:///srv/pentad.git', 'http://example.com'])
      expect(() => repositoryUrl(remote), remote).to.throw('package.json names its repository')
  })

  it('has npm list the components', () => {
    const sbom = execFileSync('npm', LIST_COMPONENTS, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 })
    expect(licenseReport(JSON.parse(sbom)))
      .to.match(/^koa \d.*: MIT$/m)
      .and.not.match(/^mocha /m)
  })

  it('names the product, not the folder of the repository, in the list of components', () => {
    const sbom = { metadata: { component: { name: 'clone', version: '1.0.0' } }, components: [] }
    expect(JSON.parse(nameProduct(sbom, 'pentad'))).to.deep.equal({
      metadata: { component: { name: 'pentad', version: '1.0.0' } },
      components: [],
    })
  })

  it('lists the licenses of all components', () => {
    const components = [
      { name: 'koa', version: '3.3.0', licenses: [{ license: { id: 'MIT' } }] },
      { group: '@koa', name: 'router', version: '15.7.0', licenses: [{ expression: '(MIT OR Apache-2.0)' }] },
      { name: 'old', version: '1.0.0' },
    ]
    expect(licenseReport({ components })).to.equal(
      '@koa/router 15.7.0: (MIT OR Apache-2.0)\nkoa 3.3.0: MIT\nold 1.0.0: unknown\n',
    )
  })
})

describe('The README of the npm package', () => {
  it('links only to what the package contains', () => {
    const text = '[Hooks](docs/hooks.md#all), [`x`](extensions/x.ts), [npm](https://npmjs.com), ![Picture](docs/a.png)'
    expect(packageReadme(text, (path) => path.startsWith('docs/'))).to.equal(
      '[Hooks](docs/hooks.md#all), `x`, [npm](https://npmjs.com), ![Picture](docs/a.png)',
    )
  })
})
