import { z } from 'zod'

/** Maximum number of recipients. */
const MOST_RECIPIENTS = 10

export const notificationSettings = {
  notificationEmail: z
    .string()
    .max(1000)
    .transform((list) => list.split(',').map((address) => address.trim()))
    .pipe(z.union([z.tuple([z.literal('')]), z.array(z.email()).max(MOST_RECIPIENTS)]))
    .transform((addresses) => addresses.join(', '))
    .default('')
    .meta({
      title: 'Email recipients',
      description: `Email addresses that receive the test email: up to ${MOST_RECIPIENTS}, separated by commas. Leave empty to use the administration email address.`,
      group: 'notifications',
    }),
}
