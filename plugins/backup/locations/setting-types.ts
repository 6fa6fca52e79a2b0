import { z } from 'zod'

/** An address that the owner enters. The password has a field of its own, which is kept encrypted and is never shown. */
export function addressSetting() {
  return z
    .union([
      z.literal(''),
      z
        .url({ protocol: /^https?$/, error: 'must be an address such as https://nas.example.org/backups' })
        .refine((url) => !/^[^/]*\/\/[^/]*@/.test(url), 'must not hold a user name or a password'),
    ])
    .default('')
}

export function textSetting() {
  return z.string().trim().max(500).default('')
}

/** Kept encrypted and never shown. */
export function secretSetting() {
  return z.string().max(16_384).default('')
}
