/** Debian's WordPress, for comparison: nginx, PHP-FPM with opcache, and MariaDB, all of the current user and in one temporary folder. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../test/support/free-port.ts'

const SOURCE = '/usr/share/wordpress'
const PACKAGES =
  'nginx-light php-fpm php-cli php-mysql php-gd php-xml php-mbstring mariadb-server wordpress wordpress-theme-twentytwentythree'

export interface WordPress {
  readonly url: string
  /** Value of the `Authorization` header: an application password of the administrator. */
  readonly authorization: string
  /** Of nginx, PHP-FPM and MariaDB. */
  readonly processes: readonly number[]
  stop(): Promise<void>
}

/**
 * Starts WordPress with the content of an export file.
 * @param password of the user `admin`
 * @returns `undefined` if one of the packages is missing, which it prints
 */
export async function startWordPress(exportFile: string, password: string): Promise<WordPress | undefined> {
  const programs = {
    nginx: findProgram('nginx'),
    php: findProgram('php'),
    fpm: findProgram('php-fpm*'),
    mariadb: findProgram('mariadbd'),
    installDatabase: findProgram('mariadb-install-db'),
  }
  const { nginx, php, fpm, mariadb, installDatabase } = programs
  if (!nginx || !php || !fpm || !mariadb || !installDatabase || !existsSync(join(SOURCE, 'wp-load.php'))) {
    console.log(`WordPress is not installed. On Debian: apt-get install --no-install-recommends ${PACKAGES}`)
    return undefined
  }
  const folder = mkdtempSync(join(tmpdir(), 'pentad-wordpress-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const isRoot = process.getuid?.() === 0
  // The servers refuse to run as root without these.
  const [asRoot, fpmAsRoot] = isRoot ? [['--user=root'], ['--allow-to-run-as-root']] : [[], []]
  const children: ReturnType<typeof spawn>[] = []
  const start = (program: string, args: readonly string[]) => {
    const child = spawn(program, args, { stdio: 'ignore' })
    process.once('exit', () => child.kill('SIGTERM'))
    children.push(child)
  }

  const data = join(folder, 'data')
  const socket = join(folder, 'mariadb.sock')
  execFileSync(installDatabase, [
    ...['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db', ...asRoot],
  ])
  writeFileSync(join(folder, 'database.sql'), 'create database wordpress;\n')
  start(mariadb, [
    ...['--no-defaults', `--datadir=${data}`, `--socket=${socket}`, '--skip-networking', ...asRoot],
    `--init-file=${join(folder, 'database.sql')}`,
  ])
  await until('MariaDB', async () => existsSync(socket))

  const site = join(folder, 'site')
  execFileSync('cp', ['-rL', SOURCE, site])
  mkdirSync(join(site, 'wp-content/uploads'), { recursive: true })
  writeFileSync(join(site, 'wp-config.php'), configuration(site, socket))
  const importer = join(import.meta.dirname, 'wordpress-import.php')
  // Debian's WordPress uses functions that PHP 8.2 deprecates.
  const importArgs = ['-d', 'display_errors=stderr', importer, site, url, exportFile, password]
  const output = execFileSync(php, importArgs, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const authorization = `Basic ${btoa(`admin:${output.trim().split('\n').at(-1)}`)}`

  writeFileSync(join(folder, 'fpm.conf'), fpmConfiguration(folder, isRoot))
  writeFileSync(join(folder, 'nginx.conf'), nginxConfiguration(folder, port, isRoot))
  start(fpm, ['--nodaemonize', '--fpm-config', join(folder, 'fpm.conf'), ...fpmAsRoot])
  start(nginx, ['-c', join(folder, 'nginx.conf'), '-p', folder, '-g', 'daemon off;'])
  await until('WordPress', async () => (await fetch(url).catch(() => undefined))?.ok === true)
  return {
    url,
    authorization,
    processes: children.flatMap(({ pid }) => pid ?? []),
    async stop() {
      const ended = children.map((child) => once(child, 'exit'))
      for (const child of children) child.kill('SIGTERM')
      await Promise.all(ended)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Servers are often installed in folders that only root has in its path. */
function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/local/sbin', '/usr/sbin', '/sbin']
  return folders.flatMap((folder) => globSync(join(folder, name)))[0]
}

async function until(what: string, isReady: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isReady()); tries++) {
    if (tries > 300) throw new Error(`${what} did not start`)
    await wait(100)
  }
}

/** Application passwords require HTTPS, except in a local environment. WP-Cron would run in some of the measured requests. */
function configuration(site: string, socket: string): string {
  const keys = ['AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY']
  const salts = keys.map((key) => key.replace('KEY', 'SALT'))
  const constants = {
    ...{ DB_NAME: 'wordpress', DB_USER: 'root', DB_PASSWORD: '', DB_HOST: `localhost:${socket}` },
    ...{ DB_CHARSET: 'utf8mb4', DB_COLLATE: '', WP_ENVIRONMENT_TYPE: 'local', WP_CONTENT_DIR: `${site}/wp-content` },
    ...Object.fromEntries([...keys, ...salts].map((name) => [name, `bench ${name}`])),
  }
  const lines = Object.entries(constants).map(([name, value]) => `define('${name}', '${value}');`)
  return `<?php
${lines.join('\n')}
define('WP_DEBUG', false);
define('DISABLE_WP_CRON', true);
$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`
}

function fpmConfiguration(folder: string, isRoot: boolean): string {
  return `
[global]
error_log = ${folder}/fpm.log
[www]
${isRoot ? 'user = root\ngroup = root' : ''}
listen = ${folder}/fpm.sock
pm = static
pm.max_children = 4
php_admin_value[opcache.enable] = 1
php_admin_value[memory_limit] = 256M
`
}

function nginxConfiguration(folder: string, port: number, isRoot: boolean): string {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  return `
${isRoot ? 'user root;' : ''}
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/nginx.log;
events { worker_connections 512; }
http {
  include /etc/nginx/mime.types;
  access_log off;
  ${paths.join(' ')}
  server {
    listen 127.0.0.1:${port};
    root ${folder}/site;
    index index.php;
    location / { try_files $uri $uri/ /index.php?$args; }
    location ~ \\.php$ { include /etc/nginx/fastcgi.conf; fastcgi_pass unix:${folder}/fpm.sock; }
  }
}
`
}
