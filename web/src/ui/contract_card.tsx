// A contract: what it asks, what it pays, and how far it has come.

import { asks, type Contract, goods, when } from "../society.ts";
import { dayOf, type Of, State } from "./card.tsx";
import { Goods, See } from "./see.tsx";

export function ContractCard({ viewer, contract }: Of & { contract: Contract }) {
  const day = dayOf(viewer);
  const raised = viewer.buildings.find((one) => one.contract === contract.id);
  return (
    <article class="paper">
      <h3>
        Contract {Number(contract.id.slice(1))} <State of={contract.state} />
      </h3>
      <p>
        {asks(contract)}
        {Object.keys(contract.brought).length > 0 && <small>, brought {goods(contract.brought)}</small>}
      </p>
      <dl class="facts">
        <div>
          <dt>asked by</dt>
          <dd>
            <See viewer={viewer} id={contract.poster} />
          </dd>
        </div>
        <div>
          <dt>taken by</dt>
          <dd>
            <See viewer={viewer} id={contract.acceptor} />
          </dd>
        </div>
        <div>
          <dt>reward</dt>
          <dd>
            <Goods items={contract.reward} />
            {contract.backer && (
              <small>
                {" "}
                and {goods(contract.bonus)} from <See viewer={viewer} id={contract.backer} />
              </small>
            )}
          </dd>
        </div>
        {Object.keys(contract.deposit).length > 0 && (
          <div>
            <dt>deposit</dt>
            <dd>
              <Goods items={contract.deposit} />
            </dd>
          </div>
        )}
        {raised && (
          <div>
            <dt>built</dt>
            <dd>
              <See viewer={viewer} id={raised.id} />
            </dd>
          </div>
        )}
        <div>
          <dt>since</dt>
          <dd>{when(contract.created_tick, day)}</dd>
        </div>
        <div>
          <dt>until</dt>
          <dd>{when(contract.deadline_tick, day)}</dd>
        </div>
        <div>
          <dt>at</dt>
          <dd>
            <See viewer={viewer} id={`@${contract.terminal.join(",")}`}>
              the terminal at {contract.terminal[0]}, {contract.terminal[2]}
            </See>
          </dd>
        </div>
      </dl>
    </article>
  );
}
