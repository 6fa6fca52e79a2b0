import type Koa from 'koa'
import type { Body } from './body.ts'
import type { RestResponse } from './response.ts'
import type { ReceivedUpload, RestAnswer } from './rest-call.ts'
import type { IncomingRequest, UploadRule } from './types.ts'

/** What a part that joins the host teaches its REST API, beyond routes. */
export interface RestFeatures {
  /** Edits a successful JSON answer by the query of its request, after all filters: `_embed`, `_fields`. */
  shape(response: RestResponse, query: RestAnswer['query'], request: IncomingRequest): Promise<RestResponse>
  /** Wraps an answer that is about to be sent over HTTP, by its query: `_envelope`; `null` for one that is sent as it is. */
  wrap(answer: RestAnswer): RestResponse | null
  /** Reads the fields of a multipart form of at most `limit` bytes. */
  readMultipart(context: Koa.Context, limit: number): Promise<Body>
  /** Reads the body of a route with `upload`. @param bodyLimit bytes of a body without a file: the route's own limit */
  readUpload(context: Koa.Context, rule: UploadRule, bodyLimit?: number): Promise<ReceivedUpload>
}
