import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { wxrFile, wxrItem } from '../content/import/wxr-file.ts'
import { commandLine } from '../support/command-line.ts'
import { pentad } from '../support/pentad.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { startedSite } from '../support/started-site.ts'

describe('pentad import --authors', () => {
  const command = commandLine()
  const author = (id: number, login: string, email: string) =>
    `<wp:author><wp:author_id>${id}</wp:author_id><wp:author_login>${login}</wp:author_login><wp:author_email>${email}</wp:author_email></wp:author>`
  const file = wxrFile([
    author(4, 'ann', 'ann@old.example'),
    author(5, '=bob()', 'jane@example.org'),
    wxrItem({ id: 101, author: 'ann' }),
    wxrItem({ id: 102, author: '=bob()' }),
    wxrItem({ id: 103, author: 'nobody' }),
  ])

  /** Logins of the authors of the posts, and of all users. */
  async function peopleOf(siteDir: string): Promise<{ authors: Record<string, string>; users: string[] }> {
    const list = async (...args: string[]) =>
      JSON.parse((await command(siteDir, [...args, '--format=json'])).output || '[]')
    const users: { ID: number; user_login: string }[] = await list('user', 'list', '--fields=ID,user_login')
    const posts: { ID: number; post_author: number | string }[] = await list('post', 'list', '--fields=ID,post_author')
    const loginOf = (id: number | string) => users.find(({ ID }) => ID === Number(id))?.user_login ?? ''
    return {
      authors: Object.fromEntries(posts.map(({ ID, post_author }) => [ID, loginOf(post_author)])),
      users: users.map(({ user_login }) => user_login).sort(),
    }
  }

  it('skip gives all posts to the first administrator and creates no user', async () => {
    const siteDir = startedSite()
    const { code, errors } = await pentad(siteDir, ['import', file, '--authors=skip'])
    expect(code, errors).to.equal(0)
    expect(await peopleOf(siteDir)).to.deep.equal({
      authors: { 101: 'admin', 102: 'admin', 103: 'admin' },
      users: ['admin'],
    })
  })

  it('a CSV file is written first if it does not exist, then says who gets whose posts', async () => {
    const siteDir = startedSite()
    const csv = join(temporaryFolder(), 'authors.csv')
    const made = await pentad(siteDir, ['import', wxrFile([]), '--authors=skip'])
    expect(made.code, made.errors).to.equal(0)
    for (const person of [
      ['jane', 'jane@example.org'],
      ['kim', 'kim@example.org'],
    ]) {
      const created = await command(siteDir, ['user', 'create', ...person])
      expect(created.code, created.errors).to.equal(0)
    }
    const args = ['import', file, `--authors=${csv}`]

    const written = await command(siteDir, args)
    expect([written.code, written.errors.includes(`${csv} was created`)]).to.deep.equal([1, true])
    expect(readFileSync(csv, 'utf8')).to.equal("old_user_login,new_user_login\nann,\n'=bob(),jane\nnobody,\n")
    expect((await peopleOf(siteDir)).authors).to.deep.equal({})

    writeFileSync(csv, "\ufeffold_user_login,new_user_login\r\nann,nemo\r\n'=bob(),jane\r\n")
    const wrong = await command(siteDir, args)
    expect([wrong.code, wrong.errors.includes('there are no users nemo. Nothing was imported.')]).to.deep.equal([
      1,
      true,
    ])
    writeFileSync(csv, 'who,whom\na,b\n')
    expect((await command(siteDir, args)).errors).to.include(
      'is not a CSV file with the columns old_user_login and new_user_login.',
    )

    writeFileSync(csv, "\ufeffold_user_login,new_user_login\r\nann,kim\r\n'=bob(),jane\r\n")
    const { code, errors } = await pentad(siteDir, args)
    expect(code, errors).to.equal(0)
    expect(await peopleOf(siteDir)).to.deep.equal({
      authors: { 101: 'kim', 102: 'jane', 103: 'admin' },
      users: ['admin', 'jane', 'kim'],
    })
  })

  it('refuses anything else, and imports nothing', async () => {
    const siteDir = temporaryFolder()
    const { code, errors } = await command(siteDir, ['import', file, '--authors=sikp'])
    expect([code, errors.includes('--authors must be create, skip, or the path of a CSV file.')]).to.deep.equal([
      1,
      true,
    ])
    expect(existsSync('sikp')).to.equal(false)
  })
})
