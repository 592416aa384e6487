// A model of WOOFi's price oracle: our own code. Nobody but its pool posts prices.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice Prices of base tokens in the quote token, good for a time from the last post on.
contract WooOracle {
    /// @dev price with `decimals`; spread and coeff with 18
    struct Listing {
        uint128 price;
        uint64 spread;
        uint64 coeff;
        uint8 decimals;
    }

    address private pool;
    uint256 public staleDuration;
    uint256 public timestamp;
    mapping(address base => Listing) private listings;

    error AlreadyOpen();
    error NotThePool();

    function open(address pool_, uint256 staleSeconds, address[] calldata bases, Listing[] calldata listings_)
        external
    {
        if (pool != address(0)) revert AlreadyOpen();
        (pool, staleDuration, timestamp) = (pool_, staleSeconds, block.timestamp);
        for (uint256 k = 0; k < bases.length; k++) listings[bases[k]] = listings_[k];
    }

    function decimals(address base) external view returns (uint8) {
        return listings[base].decimals;
    }

    function state(address base) external view returns (uint128, uint64, uint64, bool) {
        Listing memory listing = listings[base];
        bool feasible = listing.price != 0 && block.timestamp <= timestamp + staleDuration;
        return (listing.price, listing.spread, listing.coeff, feasible);
    }

    /// @dev A post of the price alone leaves the spread and the time as they are.
    function postPrice(address base, uint128 price) external {
        if (msg.sender != pool) revert NotThePool();
        listings[base].price = price;
    }
}
