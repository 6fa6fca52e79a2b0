import { execFile } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { temporaryFolder } from '../support/site-folder.ts'

const ROOT = join(import.meta.dirname, '../..')
const run = promisify(execFile)

describe('the files for deployment', () => {
  const files = ['Dockerfile', ...globSync('deploy/*', { cwd: ROOT })]
  const text = (file: string) => readFileSync(join(ROOT, file), 'utf8')

  it('set only variables that the configuration reference has', () => {
    const reference = text('docs/reference/configuration.md')
    const names = new Set(files.flatMap((file) => text(file).match(/PENTAD_[A-Z_]+/g) ?? []))
    expect(names).to.include('PENTAD_SITE_DIR').and.include('PENTAD_TRUSTED_PROXIES')
    for (const name of names) expect(reference).to.contain(`\`${name}\``)
  })

  it('nginx accepts its configuration', async () => {
    const folder = temporaryFolder()
    await run('openssl', [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=www.example.com', '-days', '1'],
      ...['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')],
    ])
    // It opens what it listens on, which needs privileges for these ports.
    const site = text('deploy/nginx.conf')
      .replaceAll('/etc/letsencrypt/live/www.example.com', folder)
      .replaceAll(/listen \[::\]:.*;/g, '')
      .replaceAll(/listen (\d+)/g, `listen unix:${folder}/$1`)
    writeFileSync(join(folder, 'site.conf'), site)
    writeFileSync(
      join(folder, 'nginx.conf'),
      `pid ${folder}/pid; error_log ${folder}/error.log; events {} http { access_log off; include site.conf; }`,
    )
    const { stderr } = await run('nginx', ['-t', '-c', join(folder, 'nginx.conf')], {
      env: { PATH: `${process.env.PATH}:/usr/sbin` },
    })
    expect(stderr).to.contain('test is successful')
  })

  it('Caddy accepts its configuration, and forwards the domain to Pentad', async () => {
    const env = { PATH: process.env.PATH, HOME: temporaryFolder(), SITE_DOMAIN: 'www.example.com' }
    const config = ['--config', join(ROOT, 'deploy/Caddyfile'), '--adapter', 'caddyfile']
    const { stderr } = await run('caddy', ['validate', ...config], { env })
    expect(stderr).to.not.contain('"level":"warn"')
    const { stdout } = await run('caddy', ['adapt', ...config], { env })
    expect(stdout).to.contain('"host":["www.example.com"]').and.contain('"dial":"pentad:8080"')
  })
})
