/**
 * Makes a release of the current branch: `npm run release -- 1.0.0-beta.1`. Sets the version, also that of the services, and the repository, closes the section of the changelog, builds the
 * packages twice and compares them, writes the list of their components and licenses, commits and tags. Publishes nothing.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readProject } from './manifest.ts'
import { CREATE_EXTENSION_FOLDER, CREATE_FOLDER, FOLDER, ROOT } from './places.ts'
import {
  closeSection,
  isNewer,
  LIST_COMPONENTS,
  licenseReport,
  nameProduct,
  repositoryUrl,
  setServiceVersion,
} from './release-texts.ts'

const RELEASE = join(ROOT, 'dist', 'release')

const [version = ''] = process.argv.slice(2)
const { version: former, repository } = await readProject()
if (!isNewer(version, former)) throw new Error(`Name a version that is newer than ${former}: npm run release -- 1.2.3`)
if (run('git', ['status', '--porcelain']) !== '') throw new Error('Commit or discard all changes first.')
if (repository === undefined) {
  const url = repositoryUrl(run('git', ['config', '--default', '', '--get', 'remote.origin.url']).trim())
  run('npm', ['pkg', 'set', 'repository.type=git', `repository.url=${url}`])
}

const changelog = join(ROOT, 'CHANGELOG.md')
await writeFile(changelog, closeSection(await readFile(changelog, 'utf8'), version, new Date()))
run('npm', ['version', version, '--no-git-tag-version'])
for await (const service of glob('plugins/*/index.ts', { cwd: ROOT })) {
  const file = join(ROOT, service)
  await writeFile(file, setServiceVersion(await readFile(file, 'utf8'), version))
}

await rm(RELEASE, { recursive: true, force: true })
await mkdir(RELEASE, { recursive: true })
const first = await build()
const second = await build()
if (first.sums !== second.sums) throw new Error(`Two builds differ:\n${first.sums}\n${second.sums}`)
const sbom: unknown = JSON.parse(run('npm', LIST_COMPONENTS))
await writeFile(join(RELEASE, 'sbom.cdx.json'), nameProduct(sbom, 'pentad'))
await writeFile(join(RELEASE, 'licenses.txt'), licenseReport(sbom))
await writeFile(join(RELEASE, 'SHA256SUMS'), second.sums)

run('git', ['commit', '--all', `--message=Release ${version}`])
run('git', ['tag', '--annotate', `v${version}`, `--message=Release ${version}`])
const tag = version.includes('-') ? 'next' : 'latest'
console.log(`Release ${version} is in ${RELEASE}:\n${second.sums}
To publish it, push the tag, then, where npm can attest the build (docs.npmjs.com/generating-provenance-statements):
  git push --follow-tags
${second.files.map((file) => `  npm publish --provenance --access public --tag ${tag} dist/release/${file}`).join('\n')}`)

/** Builds and packs all packages. */
async function build(): Promise<{ readonly files: readonly string[]; readonly sums: string }> {
  execFileSync(process.execPath, [join(ROOT, 'build/package.ts')], { cwd: ROOT, stdio: 'inherit' })
  const files = [FOLDER, CREATE_FOLDER, CREATE_EXTENSION_FOLDER].map((folder) =>
    run('npm', ['pack', '--silent', '--pack-destination', RELEASE], folder).trim(),
  )
  const sums = await Promise.all(files.map(async (file) => `${await sha256(join(RELEASE, file))}  ${file}\n`))
  return { files, sums: sums.join('') }
}

async function sha256(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
}

function run(program: string, args: readonly string[], cwd = ROOT): string {
  return execFileSync(program, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
