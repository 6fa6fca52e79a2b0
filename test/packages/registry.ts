import { generateKeyPairSync, hash, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'

export type Files = Readonly<Record<string, string>>

interface Version {
  readonly tarball: Buffer
  readonly published: string
  readonly manifest: object
  readonly integrity: string
  readonly signature: string | undefined
  readonly attestations: object | undefined
  readonly hasProvenance: boolean
}

const HOUR = 3_600_000

/** A registry that speaks npm's protocol: documents of packages, tarballs, the search, and the keys of its signatures. */
export interface TestRegistry {
  readonly url: string
  /** Paths of the requests, with their `Authorization`. */
  readonly requests: readonly { readonly path: string; readonly authorization: string | undefined }[]
  publish(
    name: string,
    version: string,
    files: Files,
    options?: {
      /** Age in hours; default 100. */
      readonly age?: number
      /** Altered after the checksum was computed. */
      readonly isAltered?: boolean
      readonly isSigned?: boolean
      readonly isForged?: boolean
      /** Makes the statement about where it was built. */
      readonly attest?: (file: {
        readonly name: string
        readonly version: string
        readonly integrity: string
      }) => Promise<object | undefined>
      readonly deprecated?: string
      readonly tag?: string
    },
  ): Promise<void>
  close(): Promise<void>
}

export async function startRegistry(): Promise<TestRegistry> {
  const packages = new Map<string, { versions: Map<string, Version>; tags: Record<string, string> }>()
  const requests: TestRegistry['requests'][number][] = []
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const keys = [{ keyid: 'SHA256:test', key: publicKey.export({ type: 'spki', format: 'der' }).toString('base64') }]

  function respond(path: string): object | Buffer | undefined {
    const { pathname, searchParams } = new URL(path, 'http://registry')
    if (pathname === '/-/npm/v1/keys') return { keys }
    if (pathname === '/-/v1/search') {
      const [keyword = '', ...words] = (searchParams.get('text') ?? '').split(' ')
      if (keyword !== 'keywords:pentad-extension') return undefined
      const found = [...packages].filter(([name]) => words.every((word) => name.includes(word)))
      const objects = found.map(([name, { tags }]) => ({
        package: { name, version: tags.latest, description: `About ${name}.`, publisher: { username: 'ada' } },
      }))
      return { objects }
    }
    const [, attested] = /^\/-\/npm\/v1\/attestations\/(.+)$/.exec(pathname) ?? []
    if (attested !== undefined) {
      const [name = '', version = ''] = decodeURIComponent(attested).split('@')
      return packages.get(name)?.versions.get(version)?.attestations
    }
    const [, tarball] = /^\/tarballs\/(.+)\.tgz$/.exec(pathname) ?? []
    if (tarball !== undefined) {
      const [name = '', version = ''] = decodeURIComponent(tarball).split('!')
      return packages.get(name)?.versions.get(version)?.tarball
    }
    const name = decodeURIComponent(pathname.slice(1))
    const found = packages.get(name)
    return found && document(name, found)
  }

  function document(name: string, { versions, tags }: { versions: Map<string, Version>; tags: object }): object {
    const entries = [...versions]
    return {
      name,
      'dist-tags': tags,
      time: Object.fromEntries(entries.map(([version, { published }]) => [version, published])),
      versions: Object.fromEntries(
        entries.map(([version, { manifest, integrity, signature, hasProvenance }]) => [
          version,
          {
            ...{ name, version, ...manifest },
            dist: {
              tarball: `${url}/tarballs/${encodeURIComponent(`${name}!${version}`)}.tgz`,
              integrity,
              ...(signature !== undefined && { signatures: [{ keyid: 'SHA256:test', sig: signature }] }),
              ...(hasProvenance && {
                attestations: { url, provenance: { predicateType: 'https://slsa.dev/provenance/v1' } },
              }),
            },
          },
        ]),
      ),
    }
  }

  const server = createServer(({ url: path = '/', headers }, response) => {
    requests.push({ path, authorization: headers.authorization })
    const found = respond(path)
    response.statusCode = found ? 200 : 404
    response.end(Buffer.isBuffer(found) ? found : JSON.stringify(found ?? { error: 'Not found' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`

  return {
    url,
    requests,
    async publish(name, version, files, options = {}) {
      const tarball = await tarOf({ ...files, 'package.json': files['package.json'] ?? manifestOf(name, version) })
      const integrity = `sha512-${hash('sha512', tarball, 'base64')}`
      const message = Buffer.from(`${options.isForged ? 'other' : name}@${version}:${integrity}`)
      const { versions, tags } = packages.get(name) ?? { versions: new Map<string, Version>(), tags: {} }
      tags[options.tag ?? 'latest'] = version
      versions.set(version, {
        tarball: options.isAltered ? await tarOf({ ...files, 'more.js': '' }) : tarball,
        published: new Date(Date.now() - (options.age ?? 100) * HOUR).toISOString(),
        manifest: options.deprecated === undefined ? {} : { deprecated: options.deprecated },
        integrity,
        attestations: await options.attest?.({ name, version, integrity }),
        hasProvenance: options.attest !== undefined,
        signature: options.isSigned ? sign('sha256', message, privateKey).toString('base64') : undefined,
      })
      packages.set(name, { versions, tags })
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function manifestOf(name: string, version: string): string {
  return JSON.stringify({ name, version, main: 'index.js', keywords: ['pentad-extension'] })
}

/** A gzipped tarball as `npm pack` makes it: everything is below `package/`. */
export async function tarOf(files: Files): Promise<Buffer> {
  const archive = pack()
  for (const [name, text] of Object.entries(files)) archive.entry({ name: `package/${name}` }, text)
  archive.finalize()
  return gzipSync(await buffer(archive))
}

/** Source of an extension whose `the_title` filter appends its version. */
export function extensionOf(
  id: string,
  version: string,
  { body = '', manifest = '' }: { readonly body?: string; readonly manifest?: string } = {},
): string {
  return `import { defineExtension } from 'pentad'
export default defineExtension({ id: '${id}', name: 'Name of ${id}', version: '${version}', ${manifest}
  async setup(host) {
    host.hooks.addFilter('the_title', (title) => title + ' ${version}')
    ${body}
  },
})
`
}
