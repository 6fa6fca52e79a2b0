/** What other parts use of the server: how it is created, fixed paths, the slot for a page cache, and the current request. */
export { createFront, type Front, type FrontHandler, type RenderedResponse } from './front.ts'
export { asUser, currentRequest, inRequest, isHandlingRequest, requestId } from './request-context.ts'
export { createFixedAddresses, rejectUnsupportedMethods } from './router.ts'
export { createServer } from './server.ts'
