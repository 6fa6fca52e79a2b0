/** A bucket of a real S3 server, in a folder of its own. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DeleteObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import S3rver from 's3rver'
import { temporaryFolder } from './site-folder.ts'

export interface TestBucket {
  /** `PENTAD_STORAGE_URL` */
  readonly storageUrl: string
  /** Keys of its objects. */
  keys(): string[]
  get(key: string): Buffer
  /** @param changed - Modification time of the file. */
  put(key: string, content: string, changed: Date): Promise<void>
  remove(key: string): Promise<void>
  /** All requests fail from now on, or those that begin with a method and a key: `PUT backups/`. */
  fail(isFailing: boolean, start?: string): void
  /** Holds the next request that stores content under the key, until `release`. */
  hold(key: string): { readonly arrived: Promise<void>; release(): void }
  stop(): Promise<void>
}

export async function startBucket(): Promise<TestBucket> {
  const directory = temporaryFolder()
  const server = new S3rver({
    ...{ address: '127.0.0.1', port: 0, directory, silent: true },
    configureBuckets: [{ name: 'site' }],
  })
  /** Of requests that fail. */
  let failing: string | undefined
  let held: { readonly key: string; arrive(): void; readonly released: Promise<void> } | undefined
  server.middleware.unshift(async (context, next) => {
    const request = `${context.method} ${context.path.replace('/site/', '')}`
    if (failing !== undefined && request.startsWith(failing)) {
      context.req.resume()
      context.status = 500
      return
    }
    if (context.method === 'PUT' && context.path === `/site/${held?.key}` && context.get('content-length') !== '0') {
      held?.arrive()
      await held?.released
    }
    await next()
  })
  const { port } = await server.run()
  const folder = join(directory, 'site')

  async function connected(work: (client: S3Client) => Promise<unknown>): Promise<void> {
    const client = new S3Client({
      ...{ region: 'us-east-1', endpoint: `http://127.0.0.1:${port}`, forcePathStyle: true },
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    })
    await work(client)
    client.destroy()
  }

  return {
    storageUrl: `s3+http://S3RVER:S3RVER@127.0.0.1:${port}/site`,
    keys: () =>
      (existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [])
        .filter((name) => name.endsWith('._S3rver_object'))
        .map((name) => name.slice(0, -'._S3rver_object'.length))
        .sort(),
    fail(isFailing, start = '') {
      failing = isFailing ? start : undefined
    },
    get: (key) => readFileSync(join(folder, `${key}._S3rver_object`)),
    async put(key, content, changed) {
      const metadata = { mtime: String(changed.getTime() / 1000) }
      const command = new PutObjectCommand({ Bucket: 'site', Key: key, Body: content, Metadata: metadata })
      await connected((client) => client.send(command))
    },
    remove: (key) => connected((client) => client.send(new DeleteObjectCommand({ Bucket: 'site', Key: key }))),
    hold(key) {
      const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      held = { key, arrive: arrived.resolve, released: released.promise }
      return { arrived: arrived.promise, release: released.resolve }
    },
    stop: () => server.close(),
  }
}
