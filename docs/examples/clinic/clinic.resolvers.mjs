import { randomUUID } from 'node:crypto';

export default {
  Mutation: {
    async book(_parent, { slotId, ...given }, context) {
      return (await context.store()).transaction().execute(async (transaction) => {
        // Of two callers, one finds the slot free.
        const slot = await transaction
          .updateTable('slot')
          .set({ isFree: false })
          .where('id', '=', slotId)
          .where('isFree', '=', true)
          .where(({ exists, selectFrom }) =>
            exists(selectFrom('patient').select('id').where('id', '=', given.patientId)),
          )
          .returning(['doctorId', 'start'])
          .executeTakeFirst();
        const message = 'The slot is not free, or the patient is unknown.';
        if (!slot) throw Object.assign(new Error(message), { name: 'NotBookable', slotId });
        const row = { id: randomUUID(), slotId, ...given, ...slot };
        return transaction.insertInto('appointment').values(row).returningAll().executeTakeFirst();
      });
    },
    async cancel(_parent, { id, patientId }, context) {
      return (await context.store()).transaction().execute(async (transaction) => {
        const row = await transaction
          .deleteFrom('appointment')
          .where('id', '=', id)
          .where('patientId', '=', patientId)
          .where('id', 'not in', transaction.selectFrom('note').select('appointmentId'))
          .returningAll()
          .executeTakeFirst();
        if (!row) return null;
        await transaction.updateTable('slot').set({ isFree: true }).where('id', '=', row.slotId).execute();
        return row;
      });
    },
  },
};
