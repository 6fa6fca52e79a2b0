import { line, lines } from 'pentad'
import { z } from 'zod'

/** Maximum length of the notes. */
const LONGEST_MESSAGE = 5000

/** Input of an order. */
export const orderSchema = z.object({
  name: line(100).min(1).describe('Name of the customer.'),
  email: z.email().max(254).describe('Email address of the customer.'),
  message: lines(LONGEST_MESSAGE).default('').describe('Delivery address and notes.'),
  total: z.int().min(0).describe('Total shown to the customer, in the smallest currency unit.'),
})
