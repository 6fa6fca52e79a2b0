import { type ContentsCheck, json } from 'pentad'
import { z } from 'zod'

/** What a filter may make of a payload. Members that are not named here go along, as browsers learn new ones. */
export const payloadSchema = z.looseObject({
  web_push: z.literal(8030),
  notification: z.looseObject({
    title: z.string().min(1),
    body: z.string(),
    navigate: z.url({ protocol: /^https?$/ }),
  }),
})

/** A payload that can be written. */
export const payloadShape: ContentsCheck = {
  contentsFault(value) {
    const fault = json('object').contentsFault(value)
    if (fault !== undefined) return fault
    const { error } = payloadSchema.safeParse(value)
    return error && `what is no payload (${z.prettifyError(error)})`
  },
}
