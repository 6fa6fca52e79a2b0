import type Koa from 'koa'
import type { Body } from './body.ts'
import type { RestResponse } from './response.ts'
import type { DispatchResult, ReceivedUpload } from './rest-call.ts'
import type { IncomingRequest, UploadRule } from './types.ts'

/** Features beyond routes that parts of the product add to the REST API. */
export interface RestFeatures {
  /** Edits a successful JSON response as its request's query demands, after all filters: `_embed`, `_fields`. */
  shape(response: RestResponse, query: DispatchResult['query'], request: IncomingRequest): Promise<RestResponse>
  /** Wraps a response to be sent over HTTP if the query asks for it: `_envelope`; `null` to send it unchanged. */
  wrap(result: DispatchResult): RestResponse | null
  /** Reads the fields of a multipart form of at most `limit` bytes. */
  readMultipart(context: Koa.Context, limit: number): Promise<Body>
  /** Reads the body of a route with `upload`. @param bodyLimit the route's own limit for a body without a file, in bytes */
  readUpload(context: Koa.Context, rule: UploadRule, bodyLimit?: number): Promise<ReceivedUpload>
}
