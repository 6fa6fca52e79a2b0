/** Former names of the host's exports, until 1.0.0. */
import { deprecate } from 'node:util'
import type { z } from 'zod'
import {
  type CompletedRequest,
  type InternalResponse,
  isHandlingRequest,
  paginatedSchema,
  type RenderedResponse,
  type ResponseOf,
  successSchema,
} from '../core/index.ts'

/** @deprecated Use `ResponseOf`. */
export type AnswerOf<Schema extends z.ZodType> = ResponseOf<Schema>
/** @deprecated Use `CompletedRequest`. */
export type AnsweredRequest = CompletedRequest
/** @deprecated Use `InternalResponse`. */
export type InternalAnswer = InternalResponse
/** @deprecated Use `RenderedResponse`. */
export type RenderedAnswer = RenderedResponse

/** @deprecated Use `successSchema`. */
export const successAnswer = deprecate(
  successSchema,
  'successAnswer was renamed to successSchema.',
  'PENTAD_SUCCESS_ANSWER',
)

/** @deprecated Use `paginatedSchema`. */
export const pageAnswer = deprecate(paginatedSchema, 'pageAnswer was renamed to paginatedSchema.', 'PENTAD_PAGE_ANSWER')

/** @deprecated Use `isHandlingRequest`. */
export const isAnsweringRequest = deprecate(
  isHandlingRequest,
  'isAnsweringRequest was renamed to isHandlingRequest.',
  'PENTAD_IS_ANSWERING_REQUEST',
)
