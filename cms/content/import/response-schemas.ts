import { z } from 'zod'
import { successSchema } from '../../../core/rest/response-schemas.ts'

const tally = z.object({ added: z.int(), existing: z.int() })
const upload = z.object({ uploadId: z.string(), name: z.string() })

/** `ImportReport` */
const report = z.object({
  source: z.object({ title: z.string(), url: z.string(), version: z.string() }),
  ...{ dryRun: z.boolean(), siteTakenOver: z.boolean(), firstContentRemoved: z.boolean() },
  ...{ users: tally, terms: tally, comments: tally, posts: z.record(z.string(), tally) },
  files: z.object({
    ...{ copied: z.int(), kept: z.int(), downloaded: z.int(), resized: z.int() },
    refused: z.array(z.object({ file: z.string(), reason: z.string() })),
  }),
  permalinkStructure: z.string().optional(),
  addresses: z.object({ kept: z.int(), redirected: z.int(), lost: z.array(z.string()) }),
  ...{ missingFiles: z.array(z.string()), warnings: z.array(z.string()) },
})

/** `ImportState` */
export const importState = z.object({
  ...{ jobId: z.string(), state: z.enum(['running', 'complete', 'failed', 'cancelled']), percent: z.number() },
  ...{ message: z.string(), started: z.string() },
  order: z.object({
    ...{ files: z.array(upload), uploads: upload.nullable(), download: z.boolean(), dryRun: z.boolean() },
  }),
  ...{ report: report.nullable(), error: z.string().nullable() },
})

export const stateResponse = successSchema(importState)
export const currentResponse = successSchema(importState.nullable())
