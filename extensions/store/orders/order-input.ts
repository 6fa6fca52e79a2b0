import { line, lines } from 'pentad'
import { z } from 'zod'

/** Letters of a message. */
const LONGEST_MESSAGE = 5000

/** What a customer sends. */
export const orderSchema = z.object({
  name: line(100).min(1).describe('Name of the customer.'),
  email: z.email().max(254).describe('Email address of the customer.'),
  message: lines(LONGEST_MESSAGE).default('').describe('Delivery address and notes.'),
  total: z.int().min(0).describe('Total shown to the customer, in minor units of the currency.'),
})
