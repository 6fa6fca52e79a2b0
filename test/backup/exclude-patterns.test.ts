import { expect } from 'chai'
import { createExclusion } from '../../plugins/backup/exclusion.ts'
import { type BackupSite, createBackupSite } from './backup-site.ts'

describe('excludePatterns', () => {
  const cases: readonly [pattern: string, leftOut: readonly string[], kept: readonly string[]][] = [
    ['*.psd', ['a.psd', 'uploads/2026/b.psd'], ['a.psd.png', 'uploads/psd', 'uploads/.psd']],
    ['uploads/**/*.mp4', ['uploads/a.mp4', 'uploads/b/c/d.mp4'], ['a.mp4', 'uploads/.git/a.mp4', 'uploads/mp4']],
    ['uploads/**', ['uploads/a', 'uploads/a/b'], ['uploads', 'themes/a']],
    ['/uploads/cache/', ['uploads/cache'], ['uploads/cached', 'themes/cache']],
    ['uploads/*', ['uploads/a'], ['uploads/a/b', 'uploads/.a']],
    ['.*', ['.git', 'uploads/.DS_Store'], ['a.git']],
    ['*-[0-9]*x*.{jpg,p{n,jp}g}', ['u/a-1x2.jpg', 'a-b-3x.png', 'a-9xx.pjpg'], ['a-x2.jpg', 'a-1x2.gif', '-1.jpg']],
    ['[!a-c]?', ['dx', '😀ü'], ['ax', 'd', 'dxx']],
    ['{a', ['{a', 'u/{a'], ['a']],
    ['a[', ['a['], ['a']],
  ]
  for (const [pattern, leftOut, kept] of cases) {
    it(`${pattern} leaves out what it means and nothing else`, () => {
      const isExcluded = createExclusion([pattern])
      expect(leftOut.filter((path) => !isExcluded(path))).deep.equal([])
      expect(kept.filter(isExcluded)).deep.equal([])
    })
  }

  it('no pattern holds a backup up', () => {
    const bombs = [`${'*a'.repeat(249)}b`, `${'**/a/'.repeat(99)}b`, '+(a|aa)+(a|aa)+(a|aa)b', '{1..9999999}']
    const isExcluded = createExclusion([...bombs, '{a,b}'.repeat(100), '{'.repeat(500)])
    expect(isExcluded('a'.repeat(255))).equal(false)
    expect(isExcluded('a/'.repeat(2000))).equal(false)
  })

  describe('PUT /settings', () => {
    let site: BackupSite
    before(async () => {
      site = await createBackupSite()
    })
    after(() => site.close())

    for (const pattern of ['@(a|b)', '{1..9}', '{a,b}'.repeat(20), '[[:digit:]]']) {
      it(`refuses ${pattern.slice(0, 20)}, which it would not read as others do`, async () => {
        const { status, code } = await site.call('PUT', '/settings', { settings: { excludePatterns: [pattern] } })
        expect({ status, code }).deep.equal({ status: 400, code: 'rest_invalid_param' })
      })
    }
  })
})
