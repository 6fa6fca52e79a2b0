import { type ContentsCheck, json } from 'pentad'
import { z } from 'zod'

/** Valid result of the filter. Other members are kept because browsers add new ones. */
export const payloadSchema = z.looseObject({
  web_push: z.literal(8030),
  notification: z.looseObject({
    title: z.string().min(1),
    body: z.string(),
    navigate: z.url({ protocol: /^https?$/ }),
  }),
})

/** A serializable payload. */
export const payloadShape: ContentsCheck = {
  contentsFault(value) {
    const fault = json('object').contentsFault(value)
    if (fault !== undefined) return fault
    const { error } = payloadSchema.safeParse(value)
    return error && `an invalid payload (${z.prettifyError(error)})`
  },
}
