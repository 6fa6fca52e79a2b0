import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { commandLine } from '../support/command-line.ts'
import { pentad, type RunningSite, startPentad } from '../support/pentad.ts'
import { temporaryFolder } from '../support/site-folder.ts'

describe('pentad', () => {
  const siteDir = temporaryFolder()
  const command = commandLine()
  let site: RunningSite

  before(async () => {
    site = await startPentad(siteDir)
  })
  after(() => site.end())

  it('--help lists the commands', async () => {
    const { code, output } = await pentad(siteDir, ['--help'])
    expect(code).to.equal(0)
    for (const command of ['start', 'import', 'user', 'license', 'cron', 'extension'])
      expect(output).to.contain(command)
  })

  it('--help of every command explains how to choose the site', async () => {
    for (const command of [['cron'], ['user', 'create'], ['extension', 'new']])
      expect((await pentad(siteDir, [...command, '--help'])).output, command.join(' ')).to.contain('--site')
  })

  it('shows the help of a command that was called wrongly', async () => {
    const { code, errors } = await pentad(siteDir, ['user', 'create'])
    expect(code).to.not.equal(0)
    expect(errors).to.contain('--email <address>').and.contain('Usage: pentad user create')
  })

  it('creates a missing site only for start and import', async () => {
    const nowhere = join(temporaryFolder(), 'sitee')
    for (const args of [
      ['cron'],
      ['user', 'create', 'ann', '--email', 'ann@example.org'],
      ['extension', 'list'],
      ['extension', 'activate', 'reading-time'],
      [
        'license',
        'set',
        ['{"licensee":"Ann","plan":"pro"}', 'x'.repeat(64)]
          .map((part) => Buffer.from(part).toString('base64url'))
          .join('.'),
      ],
    ]) {
      const { code, errors } = await command(nowhere, args)
      expect(code, args.join(' ')).to.equal(1)
      expect(errors, args.join(' ')).to.contain(`There is no site in ${nowhere}. \`npm run pentad -- start\``)
    }
    expect(existsSync(nowhere)).to.equal(false)
  })

  it('refuses an unknown command with help and a non-zero exit', async () => {
    const { code, errors } = await pentad(siteDir, ['strat'])
    expect(code).to.not.equal(0)
    expect(errors).to.match(/unknown command/i)
  })

  describe('user', () => {
    it('creates a user whose application password opens a gated route of the running site', async () => {
      const created = await command(siteDir, [
        'user',
        'create',
        'ann',
        '--email',
        'ann@example.org',
        '--role',
        'administrator',
      ])
      expect(created.code, created.errors).to.equal(0)
      const made = await command(siteDir, ['user', 'app-password', 'ann', 'script'])
      const password = made.output.trim().split('\n').at(-1)?.trim()
      expect(password).to.match(/^(\w{4} ){5}\w{4}$/)
      const answer = await fetch(`${site.url}/wp-json/host/v1/extensions`, {
        headers: { Authorization: `Basic ${btoa(`ann:${password}`)}` },
      })
      expect(answer.status).to.equal(200)
    })

    it('sets no password that attackers try first', async () => {
      for (const [password, reason] of [
        ['short', /at least 8 characters/],
        ['Password1', /too common/],
      ] as const) {
        const refused = await pentad(siteDir, ['user', 'password', 'ann', '--password-stdin'], `${password}\n`)
        expect(refused.code).to.equal(1)
        expect(refused.errors).to.match(reason)
      }
    })
    it('prints a link with which a user sets a password, or stores it as an email', async () => {
      const { output } = await command(siteDir, ['user', 'reset-password', 'ann', '--show-link'])
      const [url = ''] = /http\S+/.exec(output) ?? []
      const form = await fetch(url.replace(/^https?:\/\/[^/]+/, site.url))
      expect(await form.text()).to.include('Choose a new password for ann')
      const sent = await command(siteDir, ['user', 'reset-password', 'ann'])
      expect(sent.output).to.match(/No SMTP server is configured\. The email for ann was stored in .*\.eml/)
    })
    it('sets a password from standard input, never from an argument', async () => {
      const changed = await pentad(siteDir, ['user', 'password', 'ann', '--password-stdin'], 'correct horse battery\n')
      expect(changed.code, changed.errors).to.equal(0)
      expect(changed.output).to.not.contain('horse')
      const answer = await fetch(`${site.url}/wp-login.php`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ log: 'ann', pwd: 'correct horse battery' }),
      })
      expect(answer.status).to.equal(302)
    })
    it('turns off two-factor authentication of users who lost their device', async () => {
      const form = { log: 'ann', pwd: 'correct horse battery' }
      const login = () =>
        fetch(`${site.url}/wp-login.php`, { method: 'POST', redirect: 'manual', body: new URLSearchParams(form) })
      using database = new DatabaseSync(join(siteDir, 'site.db'))
      database.exec(`INSERT INTO two_factor (user_id, secret, last_step, created_gmt)
        SELECT id, '{}', 0, '2026-11-21 00:00:00' FROM users WHERE login = 'ann'`)
      expect(await (await login()).text()).to.include('authcode')
      const reset = await command(siteDir, ['user', 'reset-two-factor', 'ann', 'admin'])
      expect(reset.output).to.equal(
        'Turned off two-factor authentication for ann.\nadmin does not use two-factor authentication.\n',
      )
      expect((await login()).status).to.equal(302)
    })

    it('says what is wrong', async () => {
      const twice = await command(siteDir, ['user', 'create', 'ANN', '--email', 'other@example.org'])
      expect(twice.code).to.equal(1)
      expect(twice.errors).to.match(/^pentad: .+/)
      const role = await command(siteDir, ['user', 'create', 'bob', '--email', 'bob@example.org', '--role', 'king'])
      expect(role.errors).to.contain('no role "king"').and.contain('subscriber')
      const nobody = await command(siteDir, ['user', 'password', 'nobody'])
      expect(nobody.errors).to.contain('no user "nobody"')
    })
  })

  describe('license', () => {
    it('makes a key pair, issues a license and sets it; a foreign signature stays inactive', async () => {
      const privateKey = join(siteDir, 'private.pem')
      const made = await command(siteDir, ['license', 'keygen', '--private-key', privateKey])
      expect(made.code, made.errors).to.equal(0)
      expect(statSync(privateKey).mode & 0o077).to.equal(0)
      const issued = await command(siteDir, ['license', 'issue', '--licensee', 'Ann', '--private-key', privateKey])
      const key = issued.output.trim()
      expect(key.split('.')).to.have.length(2)
      const refused = await command(siteDir, ['license', 'set', key])
      expect(refused.code).to.equal(1)
      expect(refused.errors).to.contain('not active: the site has no public key')
      expect(refused.errors).to.not.contain(key)
      const again = await command(siteDir, ['license', 'keygen', '--private-key', privateKey])
      expect(again.errors).to.contain('exists')
    })

    it('says what is wrong before anything is stored or written', async () => {
      const options = readFileSync(join(siteDir, 'options.json'), 'utf8')
      for (const key of ['garbage', 'a.b', `${btoa('{}')}.signature`]) {
        const refused = await command(siteDir, ['license', 'set', key])
        expect(refused.code).to.equal(1)
        expect(refused.errors).to.contain('not a license key').and.not.contain(key)
      }
      expect(readFileSync(join(siteDir, 'options.json'), 'utf8')).to.equal(options)
      const nowhere = join(siteDir, 'nowhere')
      const keygen = await command(siteDir, ['license', 'keygen', '--private-key', join(nowhere, 'private.pem')])
      expect(keygen.errors).to.contain(`There is no folder ${nowhere}.`)
    })
  })

  describe('extension', () => {
    it('scaffolds one that the running site takes up, and that goes again', async () => {
      const made = await command(siteDir, ['extension', 'new', 'greeter'])
      expect(made.code, made.errors).to.equal(0)
      expect(existsSync(join(siteDir, 'extensions/greeter/index.ts'))).to.equal(true)
      expect(readFileSync(join(siteDir, 'extensions/greeter/index.test.ts'), 'utf8')).to.contain('expectNoLeaks')

      const on = await command(siteDir, ['extension', 'activate', 'greeter'])
      expect(on.code, on.errors).to.equal(0)
      await eventually(async () => (await (await fetch(`${site.url}/hello-world/`)).text()).includes('class="greeter"'))
      expect((await fetch(`${site.url}/wp-json/greeter/v1/greeting`)).status).to.equal(200)
      expect((await command(siteDir, ['extension', 'list'])).output).to.match(/active\s+greeter 1\.0\.0/)

      await command(siteDir, ['extension', 'deactivate', 'greeter'])
      await eventually(async () => (await fetch(`${site.url}/wp-json/greeter/v1/greeting`)).status === 404)
    })

    it('refuses a name that is no id, and one that exists', async () => {
      expect((await command(siteDir, ['extension', 'new', '../evil'])).errors).to.contain('is not a valid extension ID')
      expect((await command(siteDir, ['extension', 'new', 'greeter'])).errors).to.contain('already exists')
      const unknown = await command(siteDir, ['extension', 'activate', 'nothing'])
      expect(unknown.code).to.equal(1)
      expect(unknown.errors).to.contain('npm run pentad -- extension new')
    })
  })

  it('cron runs what is due', async () => {
    expect((await pentad(siteDir, ['cron'])).code).to.equal(0)
  })
})

/** Waits until another process has taken notice. */
async function eventually(check: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (await check()) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('It did not happen within ten seconds.')
}
