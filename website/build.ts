/** Builds the documentation site from `docs/` in `dist/website`: `npm run docs:site`, which installs the tools first. */
import { execFileSync } from 'node:child_process'
import { cp, glob, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTestHost } from '../app/testing/index.ts'
import { createPages } from './pages.ts'

const ROOT = join(import.meta.dirname, '..')
const PAGES = join(import.meta.dirname, 'pages')
const SWAGGER = join(import.meta.dirname, 'node_modules/swagger-ui-dist')

await rm(PAGES, { recursive: true, force: true })
for (const [path, text] of await createPages(ROOT)) await write(path, text)
await cp(join(ROOT, 'docs/images'), join(PAGES, 'public/docs/images'), { recursive: true })
await writeRestApi()
execFileSync(
  join(import.meta.dirname, 'node_modules/.bin/vitepress'),
  ['build', import.meta.dirname, ...process.argv.slice(2)],
  {
    stdio: 'inherit',
  },
)

/** The OpenAPI document of a site with all services, and Swagger UI, which renders it without a server. */
async function writeRestApi(): Promise<void> {
  const site = await createTestHost({ services: true })
  try {
    const response = await site.get('/wp-json/host/v1/openapi.json')
    await write('public/rest-api/openapi.json', await response.text())
  } finally {
    await site.close()
  }
  for await (const file of glob('swagger-ui{.css,-bundle.js}', { cwd: SWAGGER })) {
    await cp(join(SWAGGER, file), join(PAGES, 'public/rest-api', file))
  }
  await cp(join(import.meta.dirname, 'rest-api.html'), join(PAGES, 'public/rest-api/index.html'))
}

async function write(path: string, text: string): Promise<void> {
  const file = join(PAGES, path)
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(file, text)
}
