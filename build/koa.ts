import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

/** esbuild's namespace of modules in place of packages that are loaded on their first use. */
export const ON_USE = 'on-use'

const BODY_IS_RESPONSE = /\b(\w+) instanceof Response\b/g

/**
 * Koa compares each streamed body with the global `Response`, for which Node loads undici (see `node-http.ts`). The name of its class says
 * the same.
 */
export const koaWithoutUndici: Plugin = {
  name: 'koa-without-undici',
  setup(build) {
    build.onLoad({ filter: /\/koa\/lib\/(?:application|response)\.js$/ }, async ({ path }) => {
      const code = await readFile(path, 'utf8')
      const contents = code.replace(BODY_IS_RESPONSE, "$1?.[Symbol.toStringTag] === 'Response'")
      if (contents === code) throw new Error(`${path} does not mention Response any more.`)
      return { contents, loader: 'js' }
    })
  },
}

/** `mime-types` builds its tables of 2,500 types when a package that requires it, such as Koa's `accepts`, first looks one up. */
export const mimeTypesOnUse: Plugin = {
  name: 'mime-types-on-use',
  setup(build) {
    build.onResolve({ filter: /^mime-types$/ }, async ({ path, resolveDir, kind, pluginData }) => {
      if (kind !== 'require-call' || pluginData === 'found') return undefined
      const found = await build.resolve(path, { resolveDir, kind, pluginData: 'found' })
      return { path: found.path, namespace: ON_USE }
    })
    build.onLoad({ filter: /.*/, namespace: ON_USE }, async ({ path }) => {
      const { default: mime }: { default: object } = await import(path)
      const getters = Object.keys(mime).map((name) => `get ${name}() { return load().${name} }`)
      return {
        contents: `const load = () => require(${JSON.stringify(path)})\nmodule.exports = { ${getters.join(', ')} }`,
        resolveDir: '/',
        loader: 'js',
      }
    })
  },
}
