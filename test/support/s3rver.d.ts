/** As much of s3rver, which has no types of its own, as the tests use. */
declare module 's3rver' {
  import type { Middleware } from 'koa'

  export default class S3rver {
    constructor(options: {
      address: string
      port: number
      directory: string
      silent: boolean
      allowMismatchedSignatures?: boolean
      configureBuckets: readonly { readonly name: string }[]
    })
    readonly middleware: Middleware[]
    run(): Promise<{ port: number }>
    close(): Promise<void>
  }
}
