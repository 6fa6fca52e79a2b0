import type { Plugin } from 'esbuild'

/**
 * Bundled code gets `node:http` without an import: an import reads every export, including `WebSocket`, for which Node loads undici. That
 * takes 45 ms of CPU time and 13 MB, which a start does not need.
 */
export const nodeHttp: Plugin = {
  name: 'node-http',
  setup(build) {
    build.onResolve({ filter: /^(?:node:)?http$/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'node-http' } : undefined,
    )
    build.onLoad({ filter: /.*/, namespace: 'node-http' }, () => ({
      contents: "module.exports = process.getBuiltinModule('node:http')",
    }))
  },
}
