import { z } from 'zod'

/** The steps of the setup wizard, in order; a step is left out if it does not apply to the site. */
const SETUP_STEPS = ['site', 'look', 'content', 'mail', 'backup', 'search'] as const

/** The settings record `setup`: the wizard that the admin of a new site opens with. */
export const setupSettings = z.object({
  state: z.enum(['pending', 'finished', 'dismissed']).default('dismissed').meta({
    title: 'Site setup',
    description: 'While setup is pending, the dashboard opens the setup wizard. Setup is pending only on new sites.',
  }),
  step: z.enum(SETUP_STEPS).default('site').meta({
    title: 'Current step',
    description: 'Where the setup wizard continues.',
  }),
})
