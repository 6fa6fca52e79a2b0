import { line, lines } from 'pentad'
import { z } from 'zod'

/** Letters of a message. */
const LONGEST_MESSAGE = 5000

/** What a customer sends. */
export const orderSchema = z.object({
  name: line(100).min(1).describe('Of the customer.'),
  email: z.email().max(254).describe('Where the owner answers to.'),
  message: lines(LONGEST_MESSAGE).default('').describe('Where to deliver, and whatever else there is to say.'),
  total: z.int().min(0).describe('What the customer was told that it costs, in minor units.'),
})
