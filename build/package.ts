/** Makes the npm packages `pentad`, `create-pentad`, and `create-pentad-extension` in `dist/`: `npm run build:package`. */
import { existsSync } from 'node:fs'
import { cp, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { bundleExtensions, bundleProduct, namedFiles } from './bundle.ts'
import { buildCreatePackages } from './create-packages.ts'
import { writeDeclarations } from './declarations.ts'
import { writeManifest } from './manifest.ts'
import { FOLDER, ROOT } from './places.ts'
import { packageReadme } from './readme.ts'
import { bundlePackages } from './vendor.ts'

/** What `package.json` exports. */
const EXPORTS = ['app/index.ts', 'app/sandbox.ts', 'app/testing/index.ts', 'cli/public.ts', 'core/host.ts']
const COMMANDS = ['cli/index.ts', 'plugins/*/cli/index.ts', 'plugins/*/doctor.ts']
const EXTENSIONS = ['plugins/*/index.ts', 'extensions/*/index.ts']
const SOURCES = ['core', 'cms', 'app', 'cli', 'plugins', 'extensions']
/** WebAssembly, which is not bundled: `cms/sandbox/engine.ts` reads it. */
const SANDBOX_ENGINE = '@jitl/quickjs-ng-wasmfile-release-sync/dist/emscripten-module.wasm'
/** Files that the product reads at run time. */
const ASSETS = [
  ...SOURCES.map((folder) => `${folder}/**/*.{js,css,txt,json,svg,eta}`),
  'themes/**/*.*',
  'admin/languages/*.po',
  'extensions/*/languages/*.po',
  'admin/dist/**/*.*',
  // `**` matches no folder whose name begins with a dot.
  'admin/dist/.vite/manifest.json',
  'docs/**/*.{md,png}',
  '{CHANGELOG,CONTRIBUTING,SECURITY}.md',
  'LICENSE',
]

await rm(FOLDER, { recursive: true, force: true })
const named = await namedFiles(await find(SOURCES.map((folder) => `${folder}/**/*.ts`)))
const packages = new Set([
  ...(await bundleProduct([...EXPORTS, ...(await find(COMMANDS))], named)),
  ...(await bundleExtensions(await find(EXTENSIONS))),
])
await bundlePackages([...packages].sort())
await cp(join(ROOT, 'node_modules', SANDBOX_ENGINE), join(FOLDER, 'vendor', 'quickjs.wasm'))
for (const file of await find(ASSETS)) {
  await mkdir(dirname(join(FOLDER, file)), { recursive: true })
  await cp(join(ROOT, file), join(FOLDER, file))
}
const readme = await readFile(join(ROOT, 'README.md'), 'utf8')
await writeFile(
  join(FOLDER, 'README.md'),
  packageReadme(readme, (path) => existsSync(join(FOLDER, path))),
)
await writeManifest()
await buildCreatePackages()
await writeDeclarations(EXPORTS, await find(['{plugins,extensions}/*/hooks.ts']))

/** Files of the project, sorted. */
async function find(patterns: readonly string[]): Promise<string[]> {
  const exclude = ['plugins/*/admin/**', '**/*.test.ts', 'extensions/*/testing/**']
  return (await Array.fromAsync(glob(patterns, { cwd: ROOT, exclude }))).sort()
}
