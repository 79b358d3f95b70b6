"""The contracts of a terminal, and how messages describe them."""

from collections.abc import Iterator
from typing import Final

from thorp.voxel.lookups import goods
from thorp.voxel.lookups.indexes import index_of
from thorp.voxel.state.records import Contract
from thorp.voxel.state.world import Container, World

# How many contracts may be open at a terminal. OPEN shows these and the same number of accepted
# ones, some 400 bytes each. Accepted contracts are not counted, so nobody can fill a terminal by
# accepting what an accomplice posts.
MAX_AT_TERMINAL: Final = 48


def contracts_at(world: World, terminal: Container) -> Iterator[Contract]:
    """All contracts of a terminal, in order of their ids."""
    for contract_id in sorted(index_of(world).contracts_at.get(terminal.position, ())):
        yield world.contracts[contract_id]


def identify(contract: Contract) -> dict[str, object]:
    """The fields with which every message about a contract begins."""
    return {
        "contract_id": contract.id,
        "state": contract.state,
        "kind": contract.kind,
        "poster": contract.poster,
        "acceptor": contract.acceptor,
    }


def describe_contracts(world: World, terminal: Container) -> list[dict[str, object]]:
    """The contracts of a terminal, as a CONTAINER event lists them: all open ones, and the newest
    MAX_AT_TERMINAL of the accepted ones."""
    here = list(contracts_at(world, terminal))
    accepted = [contract for contract in here if contract.state == "ACCEPTED"]
    unseen = {contract.id for contract in accepted[:-MAX_AT_TERMINAL]}
    return [_describe(contract) for contract in here if contract.id not in unseen]


def _describe(contract: Contract) -> dict[str, object]:
    fields: dict[str, object] = {
        **identify(contract),
        "deadline_tick": contract.deadline_tick,
        "requirements": goods.as_stacks(contract.requirements),
        "reward": goods.as_stacks(contract.reward),
        "deposit": goods.as_stacks(contract.deposit),
    }
    if contract.backer:
        fields |= {"backer": contract.backer, "bonus": goods.as_stacks(contract.bonus)}
    if contract.kind == "BUILD":
        site = {"anchor": contract.anchor, "rotation": contract.rotation}
        return {**fields, "blueprint_id": contract.blueprint_id, **site}
    return {**fields, "delivered": goods.as_stacks(contract.delivered)}
